// What pages do beyond links and forms. Everything else works without this script.

// The colours that were chosen in the app.
const chosen = /"theme":"(dark|light)"/.exec(localStorage.getItem("docket-settings") ?? "");
if (chosen) document.documentElement.dataset.theme = chosen[1];

// Copies a code from the link's fragment into the form. Browsers never send the fragment, so no server or log
// sees it.
const field = document.querySelector("input[data-fragment]");
const takeCode = () => {
  if (!field || location.hash.length < 2) return;
  field.value = location.hash.slice(1);
  history.replaceState(null, "", location.pathname);
};
takeCode();
// A link that is pasted where the form is open already loads no page.
addEventListener("hashchange", takeCode);

// Shows times in the reader's own time zone and language, and days as they are. The year is left out while it is
// this one.
const day = { month: "short", day: "numeric" };
const clock = { hour: "numeric", minute: "2-digit" };
for (const time of document.querySelectorAll("time[datetime]")) {
  const isDay = !time.dateTime.includes("T");
  // A time without a zone is the reader's own.
  const at = new Date(isDay ? `${time.dateTime}T12:00` : time.dateTime);
  const year = at.getFullYear() === new Date().getFullYear() ? {} : { year: "numeric" };
  const form = { ...day, ...year, ...(isDay ? {} : clock) };
  time.title = time.textContent;
  time.textContent = new Intl.DateTimeFormat(undefined, form).format(at);
}

// Where the sections scroll sideways, the current one is in view.
const current = document.querySelector("header nav [aria-current]");
const strip = current?.closest("nav");
if (strip) strip.scrollLeft = current.offsetLeft - (strip.clientWidth - current.offsetWidth) / 2;

// People type a date and time in their own time zone, so the form also sends how far that is from UTC.
for (const zone of document.querySelectorAll("input[data-zone]")) {
  zone.value = new Date().getTimezoneOffset();
  for (const words of document.querySelectorAll("[data-zone-words]"))
    words.textContent = "In your time zone";
}

// Adds a Copy button beside each text that is there to be copied.
for (const source of document.querySelectorAll(".copy")) {
  const button = Object.assign(document.createElement("button"), {
    type: "button",
    className: "quiet",
    textContent: "Copy",
  });
  button.addEventListener("click", async () => {
    button.textContent = (await copy(source)) ? "Copied" : "Press Ctrl+C to copy it";
    setTimeout(() => (button.textContent = "Copy"), 4_000);
  });
  source.after(" ", button);
}

// The clipboard is available only over https and on localhost. Elsewhere, selects the text and copies it the
// old way. Returns whether that worked; if not, the text is left selected.
async function copy(source) {
  const written = navigator.clipboard?.writeText(source.textContent).then(
    () => true,
    () => false,
  );
  if (await written) return true;
  getSelection().selectAllChildren(source);
  return document.execCommand("copy");
}

// The web app keeps a copy of the tasks in this browser. Signing out erases it, so it asks if changes in it wait for
// the server, or were refused.
for (const form of document.querySelectorAll("form[action='/sign-out']")) {
  const waiting = Number(localStorage.getItem("docket-waiting") ?? 0);
  if (waiting > 0)
    form.dataset.confirm = `${waiting === 1 ? "1 change in this browser is" : `${waiting} changes in this browser are`} not on the server. If you sign out now, you lose ${waiting === 1 ? "it" : "them"}. Sign out?`;
}
// A session may have ended while changes waited.
const signIn = document.querySelector("form[action='/sign-in']");
const unsent = Number(localStorage.getItem("docket-unsent") ?? 0);
if (signIn && unsent > 0)
  signIn.before(
    Object.assign(document.createElement("p"), {
      className: "notice",
      role: "status",
      textContent: `${unsent === 1 ? "1 change" : `${unsent} changes`} in this browser will be saved when you sign in.`,
    }),
  );
// Somebody else may sign in next: the app shows nothing until the server has said who it is.
if (signIn) localStorage.removeItem("docket-account");

// A menu closes when someone presses Escape, or presses elsewhere.
const closeMenus = (except) => {
  for (const menu of document.querySelectorAll(".row-menu[open]"))
    if (!menu.contains(except)) menu.open = false;
};
addEventListener("click", (event) => closeMenus(event.target));
addEventListener("keydown", (event) => {
  if (event.isComposing || event.keyCode === 229) return leaveToInputMethod(event);
  if (event.key !== "Escape") return;
  document.querySelector(".row-menu[open] summary")?.focus();
  closeMenus(null);
});

// The Enter that confirms a word in an input method, as for Japanese, does not send the form. Safari ends the
// composition before it: only the number says what it is.
function leaveToInputMethod(event) {
  if (["Enter", "Escape", "Tab"].includes(event.key)) event.preventDefault();
}

// Asks before doing something that cannot be undone.
for (const form of document.querySelectorAll("form[data-confirm]")) {
  form.addEventListener("submit", (event) => {
    if (!confirm(form.dataset.confirm)) event.preventDefault();
  });
}

// Signing out makes the browser erase that copy, but not over plain http: there, this script does it.
for (const form of document.querySelectorAll("form[action='/sign-out']"))
  form.addEventListener("submit", async (event) => {
    if (isSecureContext || event.defaultPrevented) return;
    event.preventDefault();
    localStorage.clear();
    const stores = await indexedDB.databases();
    await Promise.all(stores.map(({ name }) => erased(indexedDB.deleteDatabase(name))));
    form.submit();
  });

// Another window that still has it open closes it when it hears of this, and then it is erased.
function erased(request) {
  return new Promise((done) => {
    for (const event of ["success", "error", "blocked"]) request.addEventListener(event, done);
  });
}

// Adds a button that opens every link in a list. Browsers open the first, and the rest only if the person
// allows pop-ups.
for (const list of document.querySelectorAll("[data-open-all]")) {
  const links = list.querySelectorAll("a[href]");
  if (links.length < 2) continue;
  const button = Object.assign(document.createElement("button"), {
    type: "button",
    textContent: `Open all ${links.length} tabs`,
  });
  const told = Object.assign(document.createElement("p"), { role: "status" });
  button.addEventListener("click", () => {
    const opened = [...links].filter(({ href }) => openApart(href)).length;
    told.textContent =
      opened === links.length
        ? `Opened ${opened} tabs.`
        : `Opened ${opened} of ${links.length} tabs. Your browser blocked the others. Allow pop-ups for this page, then try again.`;
  });
  list.before(button, told);
}

// Opens a link so that the new page cannot reach back into this one.
function openApart(href) {
  const opened = open(href, "_blank");
  if (opened) opened.opener = null;
  return opened;
}

// Sends a file, or what was pasted, as it is, and goes to the preview of it.
for (const form of document.querySelectorAll("form[data-upload]")) {
  const [file, pasted] = form.querySelectorAll("input[type=file], textarea");
  const [zone, problem, told, bar] = [".drop", ".problem", "[role=status]", "progress"].map(
    (part) => form.querySelector(part),
  );
  const say = (words, wrong = "") => {
    told.textContent = words;
    problem.textContent = wrong;
    bar.hidden = words === "";
    for (const part of form.elements) part.disabled = words !== "";
  };
  const send = (name, body) => {
    const request = new XMLHttpRequest();
    request.open("POST", `${form.dataset.upload}?name=${encodeURIComponent(name)}`);
    request.setRequestHeader("content-type", "application/octet-stream");
    request.responseType = "json";
    request.upload.addEventListener("progress", ({ loaded, total }) => {
      [bar.max, bar.value] = [total || 1, loaded];
    });
    request.upload.addEventListener("load", () => {
      bar.removeAttribute("value");
      told.textContent = "Reading it…";
    });
    request.addEventListener("load", () => {
      const { to, error } = request.response ?? {};
      if (to) return location.assign(to);
      // The session has ended: the page leads to the sign-in.
      if (!error) return location.reload();
      say("", error);
      file.value = "";
    });
    request.addEventListener("error", () =>
      say("", "The server cannot be reached. Nothing was imported. Try again."),
    );
    say("Sending it…");
    request.send(body);
  };
  const sendFiles = (files) => {
    if (files.length > 1) return say("", "Choose one file at a time.");
    if (files.length === 1) send(files[0].name, files[0]);
  };
  file.addEventListener("change", () => sendFiles(file.files));
  for (const event of ["dragover", "dragleave", "drop"])
    zone.addEventListener(event, (dragged) => {
      dragged.preventDefault();
      zone.classList.toggle("over", event === "dragover");
      if (event === "drop") sendFiles(dragged.dataTransfer.files);
    });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (pasted.value.trim() === "") return say("", "Paste something first.");
    send("Pasted text", new Blob([pasted.value]));
  });
}

// Follows what runs on the server, and shows the page anew once it has ended.
for (const shown of document.querySelectorAll("[data-progress]")) {
  const look = async () => {
    const text = await fetch(location.href)
      .then((answer) => answer.text())
      .catch(() => "");
    const page = new DOMParser().parseFromString(text, "text/html");
    const now = page.querySelector("[data-progress]");
    if (text !== "" && !now) return location.reload();
    if (now) {
      for (const [part, value] of [
        ["[role=status]", "textContent"],
        ["progress", "value"],
      ])
        if (shown.querySelector(part)[value] !== now.querySelector(part)[value])
          shown.querySelector(part)[value] = now.querySelector(part)[value];
    }
    setTimeout(look, 1_000);
  };
  setTimeout(look, 1_000);
}

// Sends a form only once, even on a double click: the second reply would replace the first, and with it a key
// that is shown only once.
const sent = new WeakSet();
addEventListener("submit", (event) => {
  // To ask twice changes nothing, and an export leaves its page open.
  if (event.defaultPrevented || event.target.method === "get") return;
  if (sent.has(event.target)) event.preventDefault();
  sent.add(event.target);
});
addEventListener("pageshow", (event) => {
  if (event.persisted) location.reload();
});
