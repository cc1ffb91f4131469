import { innerAddress } from "../domain/tasks/inner-address.ts";
import { MAX_TITLE, MAX_URL } from "../domain/tasks/task.ts";
import { cut, oneLine } from "./text.ts";

/** Why something of a file is left out. */
type SkipReason =
  | "automatic"
  | "duplicate"
  | "empty"
  | "empty_group"
  | "invalid"
  | "no_content"
  | "tag"
  | "text"
  | "too_long"
  | "unsupported";

/** Something that an import leaves out, cut to 200 characters, why, and of which task it was. */
export type Skipped = {
  readonly what: string;
  readonly reason: SkipReason;
  readonly in: string;
};

export const skip = (what: string, reason: SkipReason, within = ""): Skipped => ({
  what: cut(what, 200),
  reason,
  in: within,
});

/** Reads one tab of another tool, or says why it cannot be one. A tab without a title has its address as title. */
export const readTab = (
  address: string,
  title: string,
): { readonly url: string; readonly title: string } | Skipped => {
  const inner = innerAddress(address.replaceAll(/[\t\r\n\0]/g, "").trim());
  const { url } = inner;
  const reason = reasonAgainst(url);
  if (reason !== null) return skip(url, reason);
  const own = oneLine(title, MAX_TITLE);
  const isNone = own === "" || own === address || own === "Suspended Tab";
  return {
    url,
    title: (isNone && oneLine(inner.title ?? "", MAX_TITLE)) || own || cut(url, MAX_TITLE),
  };
};

const reasonAgainst = (url: string): SkipReason | null => {
  if (url === "") return "empty";
  const parsed = URL.parse(url);
  if (/^https?:/i.test(url) ? !parsed?.host : !/^[a-z][a-z0-9+.-]*:/i.test(url)) return "invalid";
  if (!/^https?:\/\//i.test(url)) return "unsupported";
  return url.length > MAX_URL ? "too_long" : null;
};
