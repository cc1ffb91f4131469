import type { ActorKind } from "../people/caller.ts";
import type { FiledChild } from "../tasks/child.ts";
import type { Content } from "../tasks/content.ts";
import type { Projection } from "../tasks/projection.ts";
import type { Instant } from "../base/instant.ts";
import { deserialise, type Payload } from "../base/payload.ts";
import type { RecordKey } from "../base/record.ts";

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
export const rememberPayload = (row: RecordRow, payload: Payload): Payload => {
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
