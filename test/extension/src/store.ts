import { browser } from "./browser.ts";
import { type Held, keyOf } from "./record.ts";

/** Whose tasks these are. `session` is the token, or null while nobody is signed in. */
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
  /** What went wrong in the last sync. Empty if nothing did. */
  readonly report: string;
  readonly held: ReadonlyMap<string, Held>;
};

/** What changes. Records that are not listed stay as they are. */
type Changes = Partial<Omit<Stored, "held">> & { readonly held?: readonly Held[] };

/**
 * Returns everything that the extension knows. The browser may stop a worker at any moment, so nothing is kept in
 * variables.
 */
export const read = async (): Promise<Stored> => {
  const {
    account = null,
    place = null,
    report = "",
    ...held
  } = await browser.storage.local.get(null);
  // Only `change` writes there.
  return { account, place, report, held: new Map(Object.entries(held)) } as Stored;
};

let last: Promise<void> = Promise.resolve();

/**
 * Reads, works out the changes, and writes them in one go. Changes run one after the other, so a page of records and
 * the position after it are stored together or not at all.
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
