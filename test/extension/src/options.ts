import { browser } from "./browser.ts";
import type { Message, Reply } from "./messages.ts";
import { element, type Element, newElement } from "./page.ts";
import type { Held } from "./record.ts";
import { serverOf } from "./server.ts";
import { read, type Stored } from "./store.ts";

/** Shows what is stored, whoever changed it. For everything else, the page asks the worker. */
const show = async (): Promise<void> => {
  const stored = await read();
  const held = [...stored.held.values()];
  const isSignedIn = stored.account?.session != null;
  element("status").textContent = statusOf(stored);
  element("queue").textContent = `${held.filter((one) => one.waiting).length} waiting`;
  element("report").textContent = stored.report;
  element("arrive").hidden = isSignedIn;
  element("leave").hidden = !isSignedIn;
  element("tasks").replaceChildren(...held.filter(isTask).map(taskItem));
};

const statusOf = ({ account }: Stored): string => {
  if (account === null) return "Nobody is signed in.";
  return account.session === null
    ? `Signed out. What is held here belongs to ${account.email}.`
    : `Signed in as ${account.email} at ${account.server}.`;
};

const isTask = ({ row }: Held): boolean => row.table === "sync_tasks" && row.deleted_at === null;

const taskItem = ({ row, refused }: Held): Element => {
  const { title, status, pages } = row.payload;
  const count = Array.isArray(pages) ? pages.length : 0;
  const problem = refused === undefined ? "" : `, not synced: ${refused}`;
  const done = newElement("button", "Done");
  on(done, "click", () => ask({ kind: "finishTask", id: row.id }));
  const item = newElement("li", "");
  item.append(newElement("span", `${title}: ${count} tabs, ${status}${problem}`), " ", done);
  return item;
};

const ask = async (message: Message): Promise<void> => {
  // Only the worker answers.
  const { problem } = (await browser.runtime.sendMessage(message)) as Reply;
  element("problem").textContent = problem ?? "";
};

/**
 * Returns the user's server, after asking the browser for permission to reach it. Browsers allow that only in
 * response to a click.
 */
const chosenServer = async (): Promise<string> => {
  const server = serverOf(element("base").value);
  const { protocol, hostname } = new URL(server);
  // A match pattern has no port.
  const origins = [`${protocol}//${hostname}/*`];
  if (!(await browser.permissions.request({ origins })))
    throw new Error(`The extension may not reach ${server} unless you allow it.`);
  return server;
};

/** Shows what is wrong with the input in the same place as what the worker reports. */
const on = (target: Element, event: "click" | "submit", work: () => Promise<void>): void =>
  target.addEventListener(event, (happened) => {
    happened.preventDefault();
    work().catch((error: Error) => {
      element("problem").textContent = error.message;
    });
  });

on(element("sign-in"), "click", async () => ask({ kind: "signIn", server: await chosenServer() }));
on(element("pairing"), "submit", async () =>
  ask({ kind: "pair", server: await chosenServer(), code: element("code").value }),
);
on(element("sign-out"), "click", () => ask({ kind: "signOut" }));
on(element("sync"), "click", () => ask({ kind: "sync" }));
on(element("save"), "click", async () =>
  ask({ kind: "saveWindow", windowId: (await browser.windows.getCurrent()).id }),
);

browser.storage.local.onChanged.addListener(() => void show());
void show();
