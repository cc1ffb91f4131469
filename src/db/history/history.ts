import type { Table } from "../../domain/base/record.ts";
import { sameJson } from "../../domain/base/payload.ts";
import { notFound } from "../../domain/base/refusal.ts";
import { MINUTE } from "../../domain/base/instant.ts";
import type { Step } from "../../domain/history/event.ts";
import type { RecordRow } from "../../domain/records/row.ts";
import { versionsBefore } from "./versions.ts";
import { findRecord } from "../records/find.ts";
import type { Store } from "../store.ts";
import type { History as Versions } from "../transaction.ts";
import { walkBack } from "./walk.ts";

export type History = {
  readonly record: RecordRow;
  readonly steps: readonly Step[];
  /** The version after which the next page starts; null on the last page. */
  readonly next: number | null;
};

type HistoryPage = {
  readonly after: number | null;
  readonly limit: number;
  /** Whether the edits of one sitting are one step: see `isSitting`. */
  readonly bySitting?: boolean;
};

/**
 * Returns a page of a record's history, newest first. Works for deleted records too. Versions are stored for
 * 90 days. Refuses a record that the account never had.
 */
export const listHistory = async (
  store: Store,
  accountId: number,
  table: Table,
  id: string,
  page: HistoryPage,
): Promise<History> => {
  const record = await findRecord(store.reader, accountId, table, id);
  if (!record) throw notFound(table === "sync_tasks" ? "task" : "record");
  const steps: Step[] = [];
  let next: number | null = null;
  await walkBack(versionsOf(store, accountId), record, (step) => {
    if (page.after !== null && step.version.id >= page.after) return false;
    if (isMergedWhole(step) || isStaleCopy(step)) return false;
    const last = steps.at(-1);
    if (page.bySitting === true && last && isSitting(last, step))
      steps[steps.length - 1] = joined(last, step);
    else if (steps.length === page.limit) next = last?.version.id ?? null;
    else steps.push(step);
    return next !== null;
  });
  return { record, steps, next };
};

/** The longest pause in a sitting, in ms. */
const PAUSE = 10 * MINUTE;

/** Whether two steps, the later one first, are edits that a person made in one go in one place. Each call of a key stands alone. */
const isSitting = (later: Step, earlier: Step): boolean =>
  isEdit(later) &&
  isEdit(earlier) &&
  later.version.byKind === earlier.version.byKind &&
  later.version.byId === earlier.version.byId &&
  startOf(later) - earlier.version.at <= PAUSE;

const isEdit = ({ version, refused, before }: Step): boolean =>
  !refused && version.loss === "edited" && version.byKind !== "api_key" && before !== null;

/** When the first edit of a step was made, in ms. */
const startOf = ({ version, since }: Step): number => since ?? version.at;

/** One step of two, the later one first. It is known by the version before both, and has the time of the later one. */
const joined = (later: Step, earlier: Step): Step => ({
  ...later,
  version: { ...earlier.version, at: later.version.at },
  before: earlier.before,
  since: earlier.version.at,
});

/**
 * What a device sent before it was merged serves later merges. Nothing of it is lost, unless the record had been
 * deleted meanwhile.
 */
const isMergedWhole = ({ version, refused, before, after }: Step): boolean =>
  refused &&
  version.loss === "merged" &&
  !(before?.deletedAt === null && after !== null && after.deletedAt !== null);

/** A device sent what was there already. */
const isStaleCopy = ({ version, refused, before, after }: Step): boolean =>
  refused &&
  version.loss === "stale" &&
  before?.deletedAt === after?.deletedAt &&
  sameJson(before?.payload, after?.payload);

/** The account's versions, for reading outside a transaction. */
export const versionsOf = ({ reader }: Store, accountId: number): Pick<Versions, "before"> => ({
  before: async (key, id) => versionsBefore(reader, accountId, key, id),
});
