/** The page that an address leads to, and its title where the address says it. */
type Inner = { readonly url: string; readonly title: string | null };

/** `view-source:`, reader view and a suspender can be one in another. */
const DEPTH = 3;

/**
 * Returns the page's own address for one that a browser or an extension shows in its place: the source of a page
 * (`view-source:`), Firefox's reader view, a tab that an extension has suspended. Any other comes back as it is.
 */
export const innerAddress = (address: string): Inner => {
  let inner: Inner = { url: address, title: null };
  for (let depth = 0; depth < DEPTH; depth += 1) {
    const next = unwrap(inner.url);
    if (next === null) break;
    inner = { url: next.url, title: next.title ?? inner.title };
  }
  return inner;
};

const unwrap = (address: string): Inner | null => {
  const [, scheme = "", rest = ""] = /^([a-z-]+):([^]*)$/i.exec(address) ?? [];
  switch (scheme.toLowerCase()) {
    case "view-source":
      return rest === "" ? null : { url: rest, title: null };
    case "about":
      return rest.startsWith("reader?") ? inPage(rest.slice(rest.indexOf("?")), "") : null;
    case "chrome-extension":
    case "edge-extension":
    case "extension":
    case "moz-extension":
    case "safari-web-extension":
      return inExtension(rest);
    default:
      return null;
  }
};

const inExtension = (rest: string): Inner | null => {
  const hash = rest.indexOf("#");
  const page = hash === -1 ? rest : rest.slice(0, hash);
  const query = page.includes("?") ? page.slice(page.indexOf("?")) : "";
  return inPage(query, hash === -1 ? "" : rest.slice(hash));
};

/** What pages of suspenders call the address. */
const NAMES = ["url", "u", "go", "uri"];

const inPage = (query: string, fragment: string): Inner | null => {
  const title = parameter(fragment, "ttl") ?? parameter(query, "ttl");
  // The Great Suspender puts the address last, as it is, with its own `&` and `#`.
  const [, last = ""] = /[#&]uri=([^]*)$/.exec(fragment) ?? [];
  const url = [
    plain(last),
    ...[fragment, query].flatMap((part) => NAMES.map((name) => parameter(part, name) ?? "")),
    plain(fragment.slice(1)),
  ].find((found) => /^https?:\/\//i.test(found));
  return url === undefined ? null : { url, title };
};

/** An address that is written as it is has escapes of its own. */
const plain = (text: string): string => (/^https?%3A/i.test(text) ? decoded(text) : text);

const parameter = (part: string, name: string): string | null => {
  const found = part
    .slice(1)
    .split("&")
    .find((pair) => pair.startsWith(`${name}=`));
  return found === undefined ? null : decoded(found.slice(name.length + 1));
};

/** A text with an escape that is none stays as it is. */
const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
