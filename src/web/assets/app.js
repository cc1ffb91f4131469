// What pages do beyond links and forms. Everything else works without it.

// A code in the link's fragment, which no server and no log sees, goes into the form's field.
const field = document.querySelector("input[data-fragment]");
if (field && location.hash.length > 1) {
  field.value = location.hash.slice(1);
  history.replaceState(null, "", location.pathname);
}

// Times in the reader's own time zone and language.
const format = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
for (const time of document.querySelectorAll("time[datetime]")) {
  time.title = time.textContent;
  time.textContent = format.format(new Date(time.dateTime));
}

// A date and time that is typed is the reader's own: the form says how far that is from UTC.
for (const zone of document.querySelectorAll("input[data-zone]")) {
  zone.value = new Date().getTimezoneOffset();
  for (const words of document.querySelectorAll("[data-zone-words]"))
    words.textContent = "In your own time";
}

// A button beside each text that is there to be copied.
for (const source of document.querySelectorAll(".copy")) {
  const button = Object.assign(document.createElement("button"), {
    type: "button",
    className: "quiet",
    textContent: "Copy",
  });
  button.addEventListener("click", async () => {
    await copy(source);
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = "Copy"), 2_000);
  });
  source.after(" ", button);
}

// The clipboard is there over https and on this machine only; elsewhere the text is selected and cut out.
async function copy(source) {
  if (navigator.clipboard) return navigator.clipboard.writeText(source.textContent);
  getSelection().selectAllChildren(source);
  document.execCommand("copy");
}

// What cannot be taken back is asked for twice.
for (const form of document.querySelectorAll("form[data-confirm]")) {
  form.addEventListener("submit", (event) => {
    if (!confirm(form.dataset.confirm)) event.preventDefault();
  });
}

// A button that opens all links of a list. Browsers let the first through, and the rest where the person allows it.
for (const list of document.querySelectorAll("[data-open-all]")) {
  const links = list.querySelectorAll("a[href]");
  if (links.length < 2) continue;
  const button = Object.assign(document.createElement("button"), {
    type: "button",
    textContent: `Open all ${links.length}`,
  });
  const told = Object.assign(document.createElement("p"), { role: "status" });
  button.addEventListener("click", () => {
    const opened = [...links].filter(({ href }) => openApart(href)).length;
    told.textContent =
      opened === links.length
        ? `Opened ${opened} tabs.`
        : `Opened ${opened} of ${links.length}: the browser kept the others back. Allow pop-ups for this page, then try again.`;
  });
  list.before(button, told);
}

// A page of its own: it cannot reach back into this one, and is not told where it was linked.
function openApart(href) {
  const opened = open(href, "_blank");
  if (opened) opened.opener = null;
  return opened;
}

// A double click sends a form once: the second answer would hide the first, and a key shown in it.
const sent = new WeakSet();
addEventListener("submit", (event) => {
  if (event.defaultPrevented) return;
  if (sent.has(event.target)) event.preventDefault();
  sent.add(event.target);
});
addEventListener("pageshow", (event) => {
  if (event.persisted) location.reload();
});
