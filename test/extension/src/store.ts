import { browser } from "./browser.ts";
import { type Held, keyOf } from "./record.ts";

/** Whose tasks these are, and the token for them: null while nobody is signed in. */
export type Account = {
  readonly id: string;
  readonly email: string;
  readonly server: string;
  readonly session: string | null;
};

/** How far this device has pulled: the last `server_time`, and the `epoch` of the server's data. */
type Place = { readonly epoch: string; readonly since: string | null };

export type Stored = {
  readonly account: Account | null;
  readonly place: Place | null;
  /** What the last sync had to say; empty where all went well. */
  readonly report: string;
  readonly held: ReadonlyMap<string, Held>;
};

/** What changes; records that are not named stay. */
type Changes = Partial<Omit<Stored, "held">> & { readonly held?: readonly Held[] };

/** All that the extension knows. A worker may be stopped at any moment, so none of it is in variables. */
export const read = async (): Promise<Stored> => {
  const {
    account = null,
    place = null,
    report = "",
    ...held
  } = await browser.storage.local.get(null);
  // Nobody but `change` writes there.
  return { account, place, report, held: new Map(Object.entries(held)) } as Stored;
};

let last: Promise<void> = Promise.resolve();

/**
 * Reads, works out what changes, and writes it in one piece, and no other change comes in between.
 * So a page of records and the place behind it are stored together, or neither is.
 */
export const change = (work: (stored: Stored) => Changes): Promise<void> => {
  const mine = last.then(async () => {
    const { held = [], ...rest } = work(await read());
    const records = held.map((one) => [keyOf(one.row), one] as const);
    await browser.storage.local.set({ ...rest, ...Object.fromEntries(records) });
  });
  last = mine.catch(() => {});
  return mine;
};
