import type { Actor } from "../people/caller.ts";
import type { Instant } from "../base/instant.ts";
import { byteLength } from "../base/text.ts";
import { type Draft, project } from "../tasks/projection.ts";
import { type Clamp, type Pushed, type RecordRow, rememberPayload } from "./row.ts";

/** What is stored about a record beside its content. */
export type Stamps = {
  readonly changedAt: Instant;
  /** The version that a device pushed last. */
  readonly pushed: Pushed | null;
  readonly clamp: Clamp | null;
  /** The stamp of the newest work in it that a push must not lose unseen; null if there is none. */
  readonly protectedAt: Instant | null;
  /** JSON of `FieldTimes`; null if there are none. */
  readonly fieldTimes: string | null;
};

/** Returns the row to store for a record. `inTrash` says whether a bucket is a trash bucket. */
export const recordRow = (
  draft: Draft,
  stamps: Stamps,
  by: Pick<Actor, "id" | "kind">,
  inTrash: (bucketId: string) => boolean,
): RecordRow => {
  const row: RecordRow = {
    accountId: draft.accountId,
    table: draft.table,
    id: draft.id,
    payload: draft.payloadText,
    size: byteLength(draft.payloadText),
    updated: draft.updated,
    updatedAt: draft.updatedAt,
    deletedAt: draft.deletedAt,
    changedAt: stamps.changedAt,
    ...pushedColumns(stamps.pushed),
    clampRaw: stamps.clamp?.raw ?? null,
    clampContent: stamps.clamp?.content ?? null,
    clampedAt: stamps.clamp?.at ?? null,
    createdAt: draft.createdAt,
    createdBy: draft.author.created_by,
    createdByKey: draft.author.created_by_key,
    filed: draft.filed.length === 0 ? null : JSON.stringify(draft.filed),
    protectedAt: stamps.protectedAt,
    fieldTimes: stamps.fieldTimes,
    writerKind: by.kind,
    writerId: by.id,
    ...project(draft, inTrash),
  };
  rememberPayload(row, draft.payload);
  return row;
};

/** The same row, but for what a device pushed last: it changes nothing else, not even the stamp. */
export const withPushed = (before: RecordRow, pushed: Pushed): RecordRow => ({
  ...before,
  ...pushedColumns(pushed),
});

const pushedColumns = (pushed: Pushed | null) => ({
  pushedAt: pushed?.updated ?? null,
  pushedContent: pushed && `${pushed.as} ${pushed.content}`,
});
