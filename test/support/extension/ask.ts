import type { Page } from "puppeteer-core";

/** Sends one of the extension's pages' messages to its worker or event page, and returns the reply. */
export const ask = <T = unknown>(
  page: Page,
  kind: string,
  request: unknown = null,
  key: string = crypto.randomUUID(),
): Promise<T> =>
  page.evaluate(
    `chrome.runtime.sendMessage(${JSON.stringify({ kind, request, key })})`,
  ) as Promise<T>;

/** Saves a link to the inbox, and returns what the extension answers. */
export const saveLink = (page: Page, url: string, title: string | null = null): Promise<unknown> =>
  ask(page, "save", {
    saved: { kind: "link", url, title },
    place: { kind: "inbox" },
    close: false,
  });

/** A record as the extension's own store holds it. */
export type Stored = {
  readonly id: string;
  readonly waits: boolean;
  readonly deletedAt: string | null;
  readonly payload: Readonly<Record<string, unknown>>;
};

/** Reads the tasks in the store of the account that is signed in, as they are on the disk. */
export const storedTasks = (page: Page): Promise<readonly Stored[]> =>
  page.evaluate(STORED_TASKS) as Promise<readonly Stored[]>;

const STORED_TASKS = `(async () => {
  const { connection } = await chrome.storage.local.get("connection");
  const name = connection
    ? "docket " + connection.server + " " + connection.account.id
    : "docket http://nobody.invalid local";
  const known = await indexedDB.databases();
  if (!known.some((one) => one.name === name)) return [];
  const db = await new Promise((resolve, reject) => {
    const opening = indexedDB.open(name);
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error);
  });
  const rows = await new Promise((resolve, reject) => {
    const reading = db.transaction("rows").objectStore("rows").getAll();
    reading.onsuccess = () => resolve(reading.result);
    reading.onerror = () => reject(reading.error);
  });
  db.close();
  return rows
    .filter(({ table }) => table === "sync_tasks")
    .map(({ id, edit, refused, server }) => {
      const { payload, deletedAt } = edit ?? refused ?? server;
      return { id, waits: edit !== null, deletedAt, payload };
    })
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
})()`;
