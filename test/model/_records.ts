import type { Instant } from "../../src/domain/base/instant.ts";
import { arrive, type Arrival, canonical, type Clamp, type Version } from "./_lww.ts";
import { merge, NO_WORK, type RestWork, type Knowledge } from "./_merge.ts";

/** A record by the rules. */
export type ModelRecord = {
  readonly version: Version;
  /** The server's stamp; null while a new one is due. */
  readonly stamp: Instant | null;
  readonly clamp: Clamp | null;
  /** The last version that a device pushed, and its answer. */
  readonly pushed: Pushed | null;
  readonly work: RestWork;
};

type Pushed = { readonly updated: Instant; readonly bytes: string; readonly as: Answer };

/** The answer to one record of a push. */
export type Answer = "applied" | "clamped" | "clamped and merged" | "late" | "merged" | "stale";

/**
 * One record of a push, with what it can have known when the edit was made, and whose ids are
 * agents'.
 */
export type Push = {
  readonly sent: Version;
  readonly knowledgeAt: (moment: Instant) => Knowledge;
  readonly isAgents: (id: string) => boolean;
  readonly now: Instant;
};

/** The record after a push, and its answer. A refused push leaves the record unchanged. */
type Taken = { readonly record: ModelRecord; readonly answer: Answer };

/** Applies a pushed record by the rules. */
export const takePush = (record: ModelRecord | null, push: Push): Taken => {
  const arrival = arrive(record, push.sent, push.now);
  if (arrival.says === "won") return takeWinner(record, push, arrival);
  if (record === null) throw new Error("nothing can lose to nothing");
  const { pushed } = record;
  const isLast = pushed?.bytes === bytesOf(push.sent);
  if (arrival.says === "same") return { record, answer: "applied" };
  if (arrival.says === "clamped again") {
    const merged = isLast && MERGED.includes(pushed.as);
    return { record, answer: merged ? "clamped and merged" : "clamped" };
  }
  if (isLast && pushed.updated === push.sent.updated) return { record, answer: AGAIN[pushed.as] };
  const isLate = pushed === null || push.sent.updated > pushed.updated;
  if (arrival.says === "too far ahead" || !isLate) return { record, answer: "stale" };
  return takeLate(record, push);
};

const MERGED: readonly Answer[] = ["clamped and merged", "merged"];

/** The answer to a repeated push that does not win, by its first answer. */
const AGAIN: Readonly<Record<Answer, Answer>> = {
  applied: "stale",
  clamped: "stale",
  "clamped and merged": "merged",
  late: "late",
  merged: "merged",
  stale: "stale",
};

const bytesOf = ({ deletedAt, payload }: Version): string => JSON.stringify([deletedAt, payload]);

const NONE = { payload: {}, deletedAt: null };

const takeWinner = (
  record: ModelRecord | null,
  { sent, knowledgeAt, isAgents, now }: Push,
  { version, clamp }: Extract<Arrival, { says: "won" }>,
): Taken => {
  const knowledge = knowledgeAt(Math.min(sent.updated, now));
  const standing = record?.version ?? NONE;
  const { content, work, differs } = merge(
    standing,
    record?.work ?? NO_WORK,
    sent,
    knowledge,
    isAgents,
  );
  const clamped: Answer = differs ? "clamped and merged" : "clamped";
  const as = version === sent ? (differs ? "merged" : "applied") : clamped;
  const put = { ...version, ...content };
  return {
    record: {
      version: differs ? later(put, record, now) : put,
      stamp: null,
      clamp,
      pushed: { updated: version.updated, bytes: bytesOf(sent), as },
      work,
    },
    answer: as,
  };
};

/** Handles a version newer than any device's, but older than a later REST write. */
const takeLate = (record: ModelRecord, { sent, knowledgeAt, isAgents, now }: Push): Taken => {
  const knowledge = knowledgeAt(Math.min(sent.updated, now));
  const { content, work } = merge(record.version, record.work, sent, knowledge, isAgents);
  const pushed = { updated: sent.updated, bytes: bytesOf(sent), as: "late" as const };
  // If nothing changes, nothing is written, but the push is remembered.
  if (contentText(content) === contentText(record.version))
    return { record: { ...record, pushed }, answer: "late" };
  const version = later({ ...sent, ...content }, record, now);
  return { record: { ...record, version, stamp: null, pushed, work }, answer: "late" };
};

const contentText = ({ deletedAt, payload }: Pick<Version, "deletedAt" | "payload">): string =>
  canonical([deletedAt, payload]);

/** Later than both the pushed and the current version, so that every device accepts it. */
const later = (put: Version, record: ModelRecord | null, now: Instant): Version => {
  const updated = Math.max(now, put.updated + 1, (record?.version.updated ?? 0) + 1);
  return { ...put, updated, text: new Date(updated).toISOString() };
};
