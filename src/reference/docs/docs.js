// Draws the reference, and sends what is tried to the address by which the page was reached.

const explorer = document.querySelector("openapi-explorer");

/** The clipboard is there over https and on this machine only; elsewhere the text is laid out and cut out. */
const writeText = async (text) => {
  const area = document.createElement("textarea");
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
};
if (!navigator.clipboard) Object.defineProperty(navigator, "clipboard", { value: { writeText } });

/** The package leaves some of its links and its scrolling part to the mouse: these are for keyboards. */
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

/** The package takes keys from the address too: a link could have what is tried filed for somebody else. */
const plainAddress = () => {
  const part = /^#\?route=[^&]*$/.test(location.hash) ? location.hash : "";
  return location.origin + location.pathname + part;
};

/** The document's servers are relative, and a page without an origin has nothing to add them to. */
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
  // Nothing is drawn until the page has come again: the package would still read the address that it came by.
  if (location.href === plainAddress()) await draw();
  else location.replace(plainAddress());
} catch (error) {
  const told = document.createElement("p");
  told.role = "alert";
  told.textContent = `The reference could not be loaded, reload the page to try again. ${error.message}`;
  explorer.replaceWith(told);
}
