// What pages do beyond links and forms. Everything else works without it.

// A code in the link's fragment, which no server and no log sees, goes into the form's field.
const field = document.querySelector("input[data-fragment]");
if (field && location.hash.length > 1) {
  field.value = decodeURIComponent(location.hash.slice(1));
  history.replaceState(null, "", location.pathname);
}

// Times in the reader's own time zone and language.
const format = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
for (const time of document.querySelectorAll("time[datetime]")) {
  time.title = time.textContent;
  time.textContent = format.format(new Date(time.dateTime));
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
