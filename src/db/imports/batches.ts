import type { Instant } from "../../domain/base/instant.ts";
import type { Store } from "../store.ts";
import type { ImportedSoFar, ImportName, Transaction } from "../transaction.ts";

/** What an import makes, and what of it was there already. */
export type Made = Omit<ImportedSoFar, "done">;

/** What an import will make, and what that will take up at least, in bytes. */
export type Preview = Made & { readonly bytes: number };

/** What is called while an import runs. */
export type Told = {
  /** Once, with its id, as soon as it is known that there is room for it. */
  readonly onOpened?: (importId: number) => void;
  /** With how many of the file's items are done. */
  readonly onProgress?: (done: number) => void;
};

export const NOTHING: Made = { folders: 0, tasks: 0, tabs: 0, notes: 0, known: 0 };

/** Adds up what was made. */
export const plus = (one: Made, other: Made): Made => ({
  folders: one.folders + other.folders,
  tasks: one.tasks + other.tasks,
  tabs: one.tabs + other.tabs,
  notes: one.notes + other.notes,
  known: one.known + other.known,
});

/** A file's tasks or records, one after the other. */
type Work<Item> = {
  readonly items: readonly Item[];
  /** Counts what they will take up, in bytes. */
  readonly bytes: () => Promise<number>;
  /** How heavy an item is, and how much goes into one transaction: so others do not wait. */
  readonly weightOf: (item: Item) => number;
  readonly most: number;
  readonly importOne: (tx: Transaction, importId: number, item: Item) => Promise<Made>;
};

/** Items in one transaction, at most. */
const AT_ONCE = 40;

/**
 * Imports a file, some items a transaction. Refused as a whole if the account has no room for it. Each transaction also says
 * how far the import is: after a kill, the same one goes on from there. Returns the import's id.
 */
export const runInBatches = async <Item>(
  store: Store,
  accountId: number,
  { name, format, digest, leftOut, upload = null }: ImportName,
  { items, bytes, weightOf, most, importOne }: Work<Item>,
  clock: () => Instant,
  { onOpened, onProgress }: Told,
): Promise<number> => {
  const total = items.length;
  const room = store.quota === null ? 0 : await bytes();
  const opened = await store.transaction(accountId, clock(), async (tx) => {
    await tx.records.checkRoom(room);
    return tx.imports.open({ name, format, digest, leftOut, upload }, total);
  });
  onOpened?.(opened.id);
  for (let { done } = opened; ;) {
    const batch = nextBatch(items, done, weightOf, most);
    done += batch.length;
    await store.transaction(accountId, clock(), async (tx) => {
      let made = NOTHING;
      for (const item of batch) made = plus(made, await importOne(tx, opened.id, item));
      await tx.imports.progress(opened.id, { done, ...made }, done === total);
    });
    onProgress?.(done);
    if (done >= total) return opened.id;
  }
};

const nextBatch = <Item>(
  items: readonly Item[],
  from: number,
  weightOf: (item: Item) => number,
  most: number,
): readonly Item[] => {
  let weight = 0;
  const rest = items.slice(from, from + AT_ONCE);
  const end = rest.findIndex((item) => (weight += weightOf(item)) > most);
  return end < 0 ? rest : rest.slice(0, Math.max(1, end));
};
