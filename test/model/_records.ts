import type { Instant } from "../../src/instant.ts";
import { arrive, canonical, type Clamp, type Version } from "./_lww.ts";
import { merge, NO_WORK, type RestWork, type Sight } from "./_merge.ts";

/** A record as the contract has it. */
export type ModelRecord = {
  readonly version: Version;
  /** The server's stamp; null while that is to be a new one. */
  readonly stamp: Instant | null;
  readonly clamp: Clamp | null;
  /** The version that a device pushed last, and how it was answered. */
  readonly pushed: Pushed | null;
  readonly work: RestWork;
};

export type Pushed = { readonly updated: Instant; readonly bytes: string; readonly as: Answer };

/** How a record of a push is answered. */
export type Answer = "applied" | "clamped" | "clamped and merged" | "late" | "merged" | "stale";

type Taken = { readonly record: ModelRecord; readonly answer: Answer };

/** How the contract would have a pushed record taken. */
export const takePush = (
  record: ModelRecord | null,
  sent: Version,
  sightAt: (moment: Instant) => Sight,
  isAgents: (id: string) => boolean,
  now: Instant,
): Taken => {
  const bytes = JSON.stringify([sent.deletedAt, sent.payload]);
  const pushed = record?.pushed ?? null;
  const arrival = arrive(record, sent, now);
  if (record && arrival.says === "clamped again")
    return {
      record,
      answer: pushed?.bytes === bytes && pushed.as === "clamped and merged" ? pushed.as : "clamped",
    };
  if (record && arrival.says === "same") return { record, answer: "applied" };
  const isRetry = pushed?.updated === sent.updated && pushed.bytes === bytes;
  if (record && isRetry) return { record, answer: AGAIN[pushed.as] };
  const sight = sightAt(Math.min(sent.updated, now));
  if (arrival.says === "won") {
    const { clamp, version } = arrival;
    const isClamped = version !== sent;
    const merged = merge(record?.version ?? NONE, record?.work ?? NO_WORK, sent, sight, isAgents);
    const answer = merged.differs ? "merged" : "applied";
    const as: Answer = isClamped ? (merged.differs ? "clamped and merged" : "clamped") : answer;
    const put = { ...version, ...merged.content };
    const moved = merged.differs ? after(put, record, now) : put;
    const next = { updated: version.updated, bytes, as };
    return {
      record: { version: moved, stamp: null, clamp, pushed: next, work: merged.work },
      answer: as,
    };
  }
  const isLate = pushed === null || sent.updated > pushed.updated;
  if (!record || arrival.says === "too far ahead" || !isLate)
    return { record: record as ModelRecord, answer: "stale" };
  const { content, work } = merge(record.version, record.work, sent, sight, isAgents);
  const next = { updated: sent.updated, bytes, as: "late" as const };
  const isSame =
    canonical([content.deletedAt, content.payload]) ===
    canonical([record.version.deletedAt, record.version.payload]);
  // What changes nothing is not written; but whose version was pushed last is remembered.
  if (isSame) return { record: { ...record, pushed: next }, answer: "late" };
  const version = after({ ...sent, ...content }, record, now);
  return { record: { ...record, version, stamp: null, pushed: next, work }, answer: "late" };
};

/** How a version that was pushed last, and does not stand as it was sent, is answered when it comes again. */
const AGAIN: Readonly<Record<Answer, Answer>> = {
  applied: "stale",
  clamped: "stale",
  "clamped and merged": "merged",
  late: "late",
  merged: "merged",
  stale: "stale",
};

const NONE = { payload: {}, deletedAt: null };

/** Later than what was sent and than what stood, so that every device takes it. */
const after = (put: Version, record: ModelRecord | null, now: Instant): Version => {
  const updated = Math.max(now, put.updated + 1, (record?.version.updated ?? 0) + 1);
  return { ...put, updated, text: new Date(updated).toISOString() };
};
