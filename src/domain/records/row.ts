import type { Actor, ActorKind } from "../people/account.ts";
import type { FiledChild } from "../tasks/child.ts";
import type { Content } from "../tasks/content.ts";
import { type Draft, project, type Projection } from "../tasks/projection.ts";
import type { Instant } from "../base/instant.ts";
import { deserialise, differingFields, type Payload } from "../base/payload.ts";
import type { RecordKey } from "../base/record.ts";
import { byteLength } from "../base/text.ts";

/** The stamp that a device with a wrong clock sent, stored to recognise a retry. */
export type Clamp = {
  readonly raw: Instant;
  readonly content: string;
  readonly at: Instant;
};

/**
 * How a device's version was applied: as it was; with work put back that the device cannot have known
 * (`merged`); or although it was older than what had been written over REST since (`late`).
 */
export type AppliedAs = "applied" | "late" | "merged";

/** The version of a record that a device pushed last. */
export type Pushed = {
  readonly updated: Instant;
  readonly content: string;
  readonly as: AppliedAs;
};

/**
 * A record as it is stored: its payload as JSON text, what is stored beside it, and what is derived from it.
 */
export type RecordRow = RecordKey &
  Projection & {
    readonly accountId: number;
    readonly payload: string;
    /** Size of the payload in bytes. */
    readonly size: number;
    /** The client's clock, in ms and in the client's own text. */
    readonly updated: Instant;
    readonly updatedAt: string;
    readonly deletedAt: string | null;
    /** The server's clock: the stamp of the transaction that stored it. */
    readonly changedAt: Instant;
    readonly pushedAt: Instant | null;
    readonly pushedContent: string | null;
    readonly clampRaw: Instant | null;
    readonly clampContent: string | null;
    readonly clampedAt: Instant | null;
    readonly createdAt: Instant;
    readonly createdBy: "agent" | "person";
    readonly createdByKey: string | null;
    /** JSON of `FiledChild[]`; null if there are none. */
    readonly filed: string | null;
    /**
     * The stamp of the newest work in it that a push must not lose unseen: what was done over REST, or a filed
     * tab or note that a device moved here. Null if there is none.
     */
    readonly protectedAt: Instant | null;
    /** JSON of `FieldTimes`; null if there are none. */
    readonly fieldTimes: string | null;
    /** Who wrote it; null if it was written before this was recorded. */
    readonly writerKind: ActorKind | null;
    readonly writerId: string | null;
  };

/** The row's payload, parsed once however often it is asked for. */
export const payloadOf = (row: Parsed & RecordRow): Payload =>
  row[PARSED] ?? rememberPayload(row, deserialise(row.payload));

/** The payload of a row that is asked for it once: it is not kept, but used if it was. */
export const parsedOf = (row: Parsed): Payload => row[PARSED] ?? deserialise(row.payload);

/** It is kept on the row: a `WeakMap` beside the rows took 5 µs of the 90 that storing one task takes. */
const PARSED = Symbol("parsed payload");

type Parsed = Pick<RecordRow, "payload"> & { readonly [PARSED]?: Payload };

/** Returns the row's content in the form that an edit changes. */
export const contentOf = (row: RecordRow): Content => ({
  payload: payloadOf(row),
  filed: filedOf(row),
});

/** Says what the payload of a new row is, so that its text is not parsed. */
const rememberPayload = (row: RecordRow, payload: Payload): Payload => {
  Object.defineProperty(row, PARSED, { value: payload });
  return payload;
};

export const filedOf = (row: Pick<RecordRow, "filed"> | null): readonly FiledChild[] =>
  row?.filed ? (JSON.parse(row.filed) as readonly FiledChild[]) : [];

export const clampOf = (row: RecordRow): Clamp | null =>
  row.clampRaw === null || row.clampContent === null || row.clampedAt === null
    ? null
    : { raw: row.clampRaw, content: row.clampContent, at: row.clampedAt };

export const pushedOf = ({ pushedAt, pushedContent }: RecordRow): Pushed | null => {
  if (pushedAt === null) return null;
  // Rows written before this was recorded have no content hash, and match nothing.
  const [as = "applied", content = ""] = pushedContent?.split(" ") ?? [];
  return { updated: pushedAt, content, as: as as AppliedAs };
};

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

/**
 * Why a version of a record is not the current one. `made`: the record is new, there was none before.
 * `edited`, `deleted`, `merged`, `restored`, `undone`: another version replaced it, in this way. `stale`,
 * `clamped`, `merged`: a device pushed it, and it was refused, stored with another stamp, or merged.
 */
export type Loss =
  "clamped" | "deleted" | "edited" | "made" | "merged" | "restored" | "stale" | "undone";

/** How a change came: by a device's push, or over REST, which includes tools, pages and the command line. */
export type Via = "rest" | "sync";

/** A version that another one replaces; `before` is null if there was none. */
export type Replacement = {
  readonly loss: Exclude<Loss, "clamped" | "stale">;
  readonly before: RecordRow | null;
  readonly after: RecordRow;
  readonly via: Via;
};

/** A record to store: `row` replaces `before`, which is null for a new record. */
export type RecordWrite = { readonly row: RecordRow; readonly before: RecordRow | null };

/**
 * When a device's person changed fields of a record, where that is earlier than the `updated` of the version in which the
 * device sent them: `version`. Once another version has changed the field, its time says nothing.
 */
export type FieldTimes = ReadonlyMap<string, { readonly version: Instant; readonly at: Instant }>;

/** Reads what is stored of a row. */
export const readFieldTimes = (stored: string | null): FieldTimes =>
  new Map(
    Object.entries(JSON.parse(stored ?? "{}") as Readonly<Record<string, [Instant, Instant]>>).map(
      ([field, [version, at]]) => [field, { version, at }],
    ),
  );

/** A version that a device pushed: as it is stored, and what the device said of its time. */
export type PushedTimes = {
  readonly payload: Payload;
  /** The stamp that it has in the end, and the one that it was sent with or clamped to. */
  readonly updated: Instant;
  readonly sent: Instant;
  /** What the device says of the fields that it changed. */
  readonly changedAt: ReadonlyMap<string, Instant>;
  /** The stamp of the version that it changed, if it says so. */
  readonly base: Instant | null;
};

/** Returns what to store of a row after a push; null if there is nothing to say. */
export const fieldTimesAfter = (
  before: { readonly payload: Payload; readonly stored: string | null } | null,
  { payload, updated, sent, changedAt, base }: PushedTimes,
): string | null => {
  // The commonest case.
  if (changedAt.size === 0 && sent === updated && (before?.stored ?? null) === null) return null;
  // After a restore, more comes with an edit than its device changed. That is as old as what was edited.
  const unsaid = changedAt.size === 0 ? sent : (base ?? sent);
  const times = new Map(readFieldTimes(before?.stored ?? null));
  for (const field of differingFields(before?.payload ?? {}, payload)) {
    const at = Math.min(changedAt.get(field) ?? unsaid, sent);
    if (at < updated) times.set(field, { version: updated, at });
    else times.delete(field);
  }
  const kept = [...times].filter(([field]) => Object.hasOwn(payload, field));
  if (kept.length === 0) return null;
  return JSON.stringify(
    Object.fromEntries(kept.map(([field, { version, at }]) => [field, [version, at]])),
  );
};
