import { type Author, authorOf } from "../../domain/people/caller.ts";
import type { FiledChild } from "../../domain/tasks/child.ts";
import type { Content } from "../../domain/tasks/content.ts";
import type { Removed } from "../../domain/sync/removal.ts";
import {
  GUARDED_FIELDS,
  guardRemovals,
  guardEdit,
  type Guards,
  NO_GUARDS,
} from "../../domain/sync/guards.ts";
import { formatInstant, type Instant } from "../../domain/base/instant.ts";
import { fits, type Payload, sameJson, serialise } from "../../domain/base/payload.ts";
import type { Table } from "../../domain/base/record.ts";
import { invalid } from "../../domain/base/refusal.ts";
import type { Pushed } from "../../domain/sync/verdict.ts";
import { insertChildren } from "./children.ts";
import type { Replacement } from "../history/versions.ts";
import {
  clampOf,
  filedOf,
  guardsOf,
  payloadOf,
  putRecord,
  pushedOf,
  type RecordRow,
} from "./records.ts";
import { trashFinder } from "./trash.ts";
import type { Tx } from "../sqlite/transaction.ts";

/** A record that is made over REST. */
export type NewRecord = { readonly accountId: number; readonly table: Table; readonly id: string };

export const insertRecord = (
  tx: Tx,
  record: NewRecord,
  content: Content,
  replacement: Replacement,
): RecordRow => {
  const author = authorOf(replacement.by);
  return save(
    tx,
    { ...record, author, createdAt: replacement.now },
    { ...content },
    null,
    replacement,
  );
};

/** What a stored record is to be; without `deletedAt` it lives. */
type Edit = Content & {
  readonly deletedAt?: string | null;
  /** Tabs and notes that are taken away: pushes which cannot know bring them back no more. */
  readonly removed?: readonly Removed[];
};

/** Gives a stored record new content. Where that is what it has, the row stays as it is, stamps included. */
export const editRecord = (
  tx: Tx,
  before: RecordRow,
  edit: Edit,
  replacement: Replacement,
): RecordRow => {
  const author = { created_by: before.createdBy, created_by_key: before.createdByKey };
  return save(tx, { ...before, author }, edit, before, replacement);
};

type Identity = NewRecord & { readonly createdAt: Instant; readonly author: Author };

/** Stores content under a stamp later than any it had, so that every device takes it. */
const save = (
  tx: Tx,
  { accountId, table, id, createdAt, author }: Identity,
  edit: Edit,
  before: RecordRow | null,
  replacement: Replacement,
): RecordRow => {
  const { payload, deletedAt = null } = edit;
  const payloadText = serialise(payload);
  if (before && payloadText === before.payload && deletedAt === before.deletedAt) return before;
  if (replacement.loss === "edited" && !fits(payloadText))
    throw invalid("The task would become larger than 1 MiB. File this into another task.");
  const stamp = tx.stamp(accountId, replacement.now);
  const updated = Math.max(replacement.now, (before?.updated ?? 0) + 1);
  const known = new Map(filedOf(before).map((child) => [child.id, child.at]));
  const isNew = ({ id: childId, at }: FiledChild): boolean =>
    !known.has(childId) || (at !== null && known.get(childId) === null);
  insertChildren(tx.orm, accountId, edit.filed.filter(isNew));
  const filed = edit.filed.map((child) => (isNew(child) ? { ...child, stamp } : child));
  const texts = { payloadText, updated, updatedAt: formatInstant(updated), deletedAt };
  const draft = { accountId, table, id, payload, ...texts, createdAt, author, filed };
  const kept = {
    changedAt: stamp,
    pushed: pushedAfter(before, payload, updated, replacement),
    clamp: before && clampOf(before),
    guards: before ? guardsAfter(before, edit, replacement, { stamp, updated }) : NO_GUARDS,
  };
  return putRecord(tx.orm, draft, kept, before, replacement, trashFinder(tx.orm, accountId));
};

const guardsAfter = (
  before: RecordRow,
  { payload, deletedAt = null, filed, removed = [] }: Edit,
  { by }: Replacement,
  at: { readonly stamp: Instant; readonly updated: Instant },
): Guards => {
  const then = { payload: payloadOf(before), deletedAt: before.deletedAt };
  const guards = guardEdit(guardsOf(before), then, { payload, deletedAt }, by.kind, at);
  const there = new Set(filed.flatMap((child) => (child.at === null ? [] : [child.id])));
  return guardRemovals(guards, removed, there, at.stamp);
};

/** Fields that a person's own device sets over REST are a version of that device's, as if pushed. */
const pushedAfter = (
  before: RecordRow | null,
  payload: Payload,
  updated: Instant,
  { by }: Replacement,
): Pushed | null => {
  if (!before) return null;
  const then = payloadOf(before);
  const same = GUARDED_FIELDS.every((field) =>
    sameJson(then[field] ?? null, payload[field] ?? null),
  );
  if (by.kind !== "session" || same) return pushedOf(before);
  return { updated, content: "", as: "applied" };
};
