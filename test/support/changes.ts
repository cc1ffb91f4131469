import type { Change } from "../../src/domain/sync/change.ts";
import { formatInstant, type Instant } from "../../src/domain/base/instant.ts";
import { canonical, deserialise, type Payload, serialise } from "../../src/domain/base/payload.ts";
import { judge, pushedContent, type Stored } from "../../src/domain/sync/proof.ts";
import { NOON } from "./server.ts";

/** A change of one task, as `parseChange` would read it. */
export const changeOf = (
  updated: Instant,
  payload: Payload,
  deletedAt: string | null = null,
): Change => ({
  table: "sync_tasks",
  id: "t1",
  updated,
  updatedAt: formatInstant(updated),
  deletedAt,
  payload,
  payloadText: serialise(payload),
  base: null,
  expected: null,
  baseRev: null,
  expectedRev: null,
  changedAt: new Map(),
});

/** The record after `change` was applied to `stored`, as the storage keeps it. */
export const meet = (stored: Stored | null, change: Change, now: Instant = NOON): Stored | null => {
  const verdict = judge(stored, change, now);
  if (verdict.outcome !== "applied") return stored;
  return {
    updated: verdict.updated,
    updatedAt: formatInstant(verdict.updated),
    deletedAt: change.deletedAt,
    payloadText: change.payloadText,
    payload: change.payload,
    clamp: verdict.clamp ?? stored?.clamp ?? null,
    pushed: { updated: verdict.updated, content: pushedContent(change), as: "applied" },
  };
};

/** The record after all changes, one after the other. */
export const meetAll = (changes: readonly Change[], now: Instant = NOON): Stored | null =>
  changes.reduce<Stored | null>((stored, change) => meet(stored, change, now), null);

/** A record's content, in whatever order its fields are. */
export const contentOf = (stored: Stored | null) =>
  stored && {
    ...stored,
    payloadText: canonical(deserialise(stored.payloadText)),
    pushed: stored.pushed?.updated,
  };
