// Draws the reference. Requests that you try go to the address that you opened the page by.

const explorer = document.querySelector("openapi-explorer");

/** Browsers offer the clipboard over https and on this machine only. Elsewhere a text area is selected and copied. */
const writeText = async (text) => {
  const area = document.createElement("textarea");
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
};
if (!navigator.clipboard) Object.defineProperty(navigator, "clipboard", { value: { writeText } });

/** Some links of the package, and the part that scrolls, work with a mouse only. This makes them work with a keyboard. */
const LINKS = ["nav [data-content-id]", ".security-info-button"].map(
  (link) => `${link}:not([tabindex])`,
);
const makeReachable = () => {
  for (const link of explorer.shadowRoot.querySelectorAll(LINKS.join())) {
    link.tabIndex = 0;
    link.role = "link";
    link.addEventListener("keydown", ({ key, target }) => {
      if (key === "Enter" && target === link) link.click();
    });
  }
  const main = explorer.shadowRoot.querySelector("main");
  if (main) main.tabIndex = 0;
};

/** The package also reads keys from the address. Then a link could make you file your data under somebody else's key. */
const plainAddress = () => {
  const part = /^#\?route=[^&]*$/.test(location.hash) ? location.hash : "";
  return location.origin + location.pathname + part;
};

/** The servers in the document are relative addresses. A page without an origin cannot resolve them. */
const load = async () => {
  const reply = await fetch("/openapi.json", { credentials: "omit" });
  if (!reply.ok) throw new Error(`The server answered ${reply.status}.`);
  await explorer.loadSpec({ ...(await reply.json()), servers: [{ url: location.origin }] });
};

const draw = async () => {
  await load();
  makeReachable();
  const changes = { childList: true, subtree: true };
  new MutationObserver(makeReachable).observe(explorer.shadowRoot, changes);
};

try {
  // The page loads again before anything is drawn, or the package would still read the old address.
  if (location.href === plainAddress()) await draw();
  else location.replace(plainAddress());
} catch (error) {
  const message = document.createElement("p");
  message.role = "alert";
  message.textContent = `The reference could not be loaded. Reload the page to try again. ${error.message}`;
  explorer.replaceWith(message);
}
