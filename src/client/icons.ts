import { type DBSchema, deleteDB, type IDBPDatabase, openDB } from "idb";
import { type Icon, MAX_HOSTS, MAX_ICONS_ASKED, MAX_ICONS_SENT } from "../domain/tasks/icon.ts";

// The pictures of web sites. They are kept beside the records, in a database of their own, and nothing depends on them: what
// cannot be read or fetched is shown as a letter.

/** A host as this browser knows it. */
type Known = {
  readonly host: string;
  /** As base64; null if the server had none when it was asked. */
  readonly png: string | null;
  /** When the server was asked, in ms. */
  readonly at: number;
  /** Whether the server has not heard of it yet: 1, since an index holds no truth values. */
  readonly waits?: 1;
};

interface Schema extends DBSchema {
  icons: { key: string; value: Known; indexes: { waits: number } };
}

export type Icons = {
  /** Asks for the picture of a host. `show` is called with it, as base64, once it is known: soon, later or never. */
  readonly want: (host: string, show: (png: string) => void) => void;
  /** Returns those of some hosts of which this browser has no picture. */
  readonly missing: (hosts: readonly string[]) => Promise<readonly string[]>;
  /** Keeps pictures that the browser has, and sends them to the server once it can be reached. */
  readonly add: (icons: readonly Icon[]) => Promise<void>;
  /** Forgets all of them. */
  readonly erase: () => Promise<void>;
  readonly close: () => void;
};

type IconOptions = {
  /** The name of the account's store. */
  readonly name: string;
  readonly request: (path: string, init: RequestInit) => Promise<Response>;
  readonly now: () => number;
};

/** In ms. Rows that come into view together are asked for together. */
const GATHER = 60;

/** In ms. A site that had no picture may have one by then. */
const ASK_AGAIN = 24 * 60 * 60 * 1_000;

/** Opens the pictures of an account. Never rejects, and neither do its functions: see above. */
export const openIcons = ({ name, request, now }: IconOptions): Icons => {
  const place = `icons ${name}`;
  let opened: Promise<IDBPDatabase<Schema>> | null = null;
  let isClosed = false;
  const open = (): Promise<IDBPDatabase<Schema>> =>
    (opened ??= openDB<Schema>(place, 1, {
      upgrade: (db) => {
        db.createObjectStore("icons", { keyPath: "host" }).createIndex("waits", "waits");
      },
      // Another window erases it.
      blocking: () => close(),
    }));
  const close = (): void => {
    isClosed = true;
    void opened?.then((db) => db.close(), nothing);
    opened = null;
  };

  const shows = new Map<string, (png: string) => void>();
  const onIcon = ({ host, png }: Icon): void => shows.get(host)?.(png);

  const wanted = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = async (): Promise<void> => {
    const hosts = [...wanted];
    wanted.clear();
    if (isClosed || hosts.length === 0) return;
    const known = await readKnown(await open(), hosts);
    for (const { host, png } of known.values()) if (png !== null) onIcon({ host, png });
    const asked = hosts.filter((host) => {
      const one = known.get(host);
      return one === undefined || (one.png === null && now() - one.at > ASK_AGAIN);
    });
    for (const some of inCalls(asked)) await ask(some);
  };
  const ask = async (hosts: readonly string[]): Promise<void> => {
    const reply = await request(`/icons?hosts=${hosts.map(encodeURIComponent).join()}`, {});
    if (!reply.ok) return;
    const { icons } = (await reply.json()) as { readonly icons: readonly Icon[] };
    const found = new Map(icons.map(({ host, png }) => [host, png]));
    const db = await open();
    for (const host of hosts)
      await db.put("icons", { host, png: found.get(host) ?? null, at: now() });
    for (const icon of icons) onIcon(icon);
  };
  const send = async (): Promise<void> => {
    const db = await open();
    for (;;) {
      const waiting = await db.getAllFromIndex("icons", "waits", 1, MAX_ICONS_SENT);
      if (waiting.length === 0) return;
      const icons = waiting.map(({ host, png }) => ({ host, png }));
      const body = JSON.stringify({ icons });
      const headers = { "content-type": "application/json" };
      const reply = await request("/icons", { method: "POST", headers, body });
      // What the server refuses, it would refuse again.
      if (!reply.ok && reply.status !== 422) return;
      for (const { waits: _sent, ...one } of waiting) await db.put("icons", one);
    }
  };

  return {
    want: (host, show) => {
      shows.set(host, show);
      wanted.add(host);
      clearTimeout(timer);
      timer = setTimeout(() => void look().catch(nothing), GATHER);
    },
    missing: async (hosts) => {
      try {
        const known = await readKnown(await open(), hosts);
        return hosts.filter((host) => typeof known.get(host)?.png !== "string");
      } catch {
        return [];
      }
    },
    add: async (icons) => {
      try {
        const db = await open();
        for (const icon of icons) await db.put("icons", { ...icon, at: now(), waits: 1 });
        for (const icon of icons) onIcon(icon);
        await send();
      } catch {
        // The browser has no room, or the server cannot be reached.
      }
    },
    erase: async () => {
      close();
      await deleteDB(place).catch(nothing);
    },
    close,
  };
};

const nothing = (): void => {};

/** Splits hosts among calls, each within what one call may ask for. A sign that must be encoded counts three times. */
const inCalls = (hosts: readonly string[]): readonly (readonly string[])[] => {
  const calls: string[][] = [];
  let length = 0;
  for (const host of hosts) {
    const own = encodeURIComponent(host).length + 1;
    const last = calls.at(-1);
    if (last && last.length < MAX_ICONS_ASKED && length + own <= MAX_HOSTS) {
      last.push(host);
      length += own;
    } else {
      calls.push([host]);
      length = own;
    }
  }
  return calls;
};

const readKnown = async (
  db: IDBPDatabase<Schema>,
  hosts: readonly string[],
): Promise<ReadonlyMap<string, Known>> => {
  const { store } = db.transaction("icons");
  const rows = await Promise.all(hosts.map((host) => store.get(host)));
  return new Map(rows.flatMap((row) => (row === undefined ? [] : [[row.host, row]])));
};
