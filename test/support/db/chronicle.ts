import { eq } from "drizzle-orm";
import type { Change } from "../../../src/domain/sync/change.ts";
import type { Store } from "../../../src/db/store.ts";
import type { PushResult } from "../../../src/db/records/push.ts";
import type { RecordRow } from "../../../src/domain/records/row.ts";
import { record } from "../../../src/db/schema/records.ts";
import type { Step } from "../../../src/domain/history/event.ts";
import type { Instant } from "../../../src/domain/base/instant.ts";
import { canonical, deserialise } from "../../../src/domain/base/payload.ts";

/** A version that is not the current one, as the history must report it. */
export type Lost = {
  readonly refused: boolean;
  /** Canonical JSON; null for a record that did not exist. */
  readonly payload: string | null;
  readonly deletedAt: string | null;
  readonly updatedAt: string;
  readonly wrote: string | null;
  readonly by: string;
  readonly at: Instant;
};

/** A step of the history in the same form. */
export const lostOf = ({ version, refused, before }: Step): Lost => ({
  refused,
  payload: before && canonical(before.payload),
  deletedAt: before?.deletedAt ?? null,
  updatedAt: version.updatedAt,
  wrote: version.writerId ?? version.writerKind,
  by: version.byId ?? version.byKind ?? "",
  at: version.at,
});

/**
 * Leaves out versions that were sent again after they had been current and replaced: they need not be stored
 * a second time.
 */
export const once = (all: readonly Lost[]): readonly Lost[] =>
  all.filter(
    (one, at) =>
      !one.refused ||
      !all.slice(0, at).some((other) => !other.refused && contentOf(other) === contentOf(one)),
  );

const contentOf = ({ payload, deletedAt, updatedAt }: Lost): string =>
  JSON.stringify([payload, deletedAt, updatedAt]);

type Current = Pick<Lost, "deletedAt" | "payload" | "updatedAt"> & {
  stamp: Instant;
  wrote: string | null;
};

/**
 * Records independently, from the stored rows alone, which version was current when and what replaced it, to
 * compare the history with.
 */
export const chronicle = ({ reader }: Store, accountId: number) => {
  const current = new Map<string, Current>();
  const lost = new Map<string, Lost[]>();
  const sent = new Set<string>();
  const add = (key: string, one: Lost) => lost.set(key, [...(lost.get(key) ?? []), one]);

  /** Looks at all records after someone changed something; `byKey` if it was a key. */
  const look = async (by: string, byKey: boolean, at: Instant): Promise<void> => {
    const rows = await reader.select().from(record).where(eq(record.accountId, accountId)).all();
    for (const row of rows) {
      const before = current.get(keyOf(row));
      if (row.changedAt === before?.stamp) continue;
      const { deletedAt, updatedAt } = row;
      const payload = canonical(deserialise(row.payload));
      const change = { refused: false, by, at };
      if (!before && byKey)
        add(keyOf(row), { ...change, payload: null, deletedAt: null, updatedAt, wrote: null });
      if (before && (before.payload !== payload || before.deletedAt !== deletedAt))
        add(keyOf(row), { ...change, ...pick(before) });
      current.set(keyOf(row), { payload, deletedAt, updatedAt, stamp: row.changedAt, wrote: by });
    }
  };

  /**
   * A version that a push refused, or stored with another stamp. It is stored once, unless it equals
   * the current one.
   */
  const refuse = (change: Change, { rejected }: PushResult, by: string, at: Instant): void => {
    const reason = rejected[0]?.reason;
    const version = current.get(keyOf(change));
    if (!version || reason === undefined) return;
    const { deletedAt, updatedAt } = change;
    // What was merged is stored too, but the history lists it only if the record had been deleted.
    if (reason === "merged" && !(deletedAt === null && version.deletedAt !== null)) return;
    const payload = canonical(change.payload);
    const isCurrent = version.payload === payload && version.deletedAt === deletedAt;
    if (reason === "stale" && isCurrent) return;
    const digest = JSON.stringify([keyOf(change), reason, updatedAt, deletedAt, payload]);
    if (sent.has(digest)) return;
    sent.add(digest);
    const whose = { wrote: by, by: version.wrote ?? "" };
    add(keyOf(change), { refused: true, payload, deletedAt, updatedAt, ...whose, at });
  };

  return { look, refuse, lost };
};

const pick = ({ payload, deletedAt, updatedAt, wrote }: Current) => ({
  payload,
  deletedAt,
  updatedAt,
  wrote,
});

export const keyOf = ({ table, id }: Pick<RecordRow, "id" | "table">): string => `${table}/${id}`;
