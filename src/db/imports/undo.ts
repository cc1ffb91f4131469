import { formatInstant, type Instant } from "../../domain/base/instant.ts";
import { type RecordKey, recordName } from "../../domain/base/record.ts";
import { SOMEONE } from "../../domain/people/account.ts";
import { contentOf } from "../../domain/records/row.ts";
import { withoutTabs } from "../../domain/tasks/imported.ts";
import { editRecord } from "../records/write.ts";
import type { Store } from "../store.ts";
import type { Imported, Transaction } from "../transaction.ts";
import { nextImported, noteUndone } from "./journal.ts";

/** What of an import was taken back, and the titles of what somebody has changed since, which stays. */
export type UndoneImport = {
  readonly folders: number;
  readonly tasks: number;
  /** Tasks that were there before, and lost the tabs that the import had added. */
  readonly shortened: number;
  readonly kept: readonly string[];
};

const AT_ONCE = 40;

/**
 * Takes an import back: what it made is deleted, and the tabs that it added to other tasks are taken out, except what was
 * changed since. If it is interrupted, call it again. `onStep` is called between two transactions, and may throw to end it.
 */
export const undoImport = async (
  store: Store,
  accountId: number,
  importId: number,
  clock: () => Instant,
  onStep: () => void = () => {},
): Promise<UndoneImport> => {
  const done = { folders: 0, tasks: 0, shortened: 0, kept: [] as string[] };
  for (let after: RecordKey | null = null; ;) {
    const next: readonly Imported[] = await nextImported(store.reader, importId, after, AT_ONCE);
    await store.transaction(accountId, clock(), async (tx) => {
      for (const one of next) {
        const state = await undoOne(tx, one);
        if (state === null) continue;
        if (typeof state === "string") done[state] += 1;
        else done.kept.push(state.kept);
      }
    });
    onStep();
    after = next.at(-1) ?? null;
    if (next.length < AT_ONCE) break;
  }
  await store.writer.write((tx) => noteUndone(tx.orm, importId, clock()));
  return done;
};

type State = "folders" | "shortened" | "tasks" | { readonly kept: string } | null;

/** Null if there is nothing left to undo. */
const undoOne = async (tx: Transaction, one: Imported): Promise<State> => {
  const [row = null] = await tx.records.find([one]);
  if (!row || row.deletedAt !== null) return null;
  const isFolder = row.table === "sync_projects";
  if (isFolder && (await tx.folders.tasks(row.id)).length > 0)
    return { kept: recordName(row.table, row.title) };
  if (row.changedAt !== one.stamp) return { kept: recordName(row.table, row.title) };
  const cause = { loss: "undone", by: SOMEONE } as const;
  if (one.tabs !== null) {
    await editRecord(tx, row, withoutTabs(contentOf(row), new Set(one.tabs)), cause);
    return "shortened";
  }
  await editRecord(tx, row, { ...contentOf(row), deletedAt: formatInstant(tx.now) }, cause);
  return isFolder ? "folders" : "tasks";
};
