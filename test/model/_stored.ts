import { eq, sql } from "drizzle-orm";
import { prepared } from "../../src/db/sqlite/orm.ts";
import { findRecord } from "../../src/db/sqlite/records/find.ts";
import { session } from "../../src/db/schema/credentials.ts";
import { versionsOf } from "../../src/db/history/history.ts";
import { walkBack } from "../../src/db/history/walk.ts";
import { keyOf } from "../support/client.ts";
import type { Which } from "../support/histories.ts";
import type { Inside, StoredRow } from "../support/world.ts";
import type { ModelAck } from "./_acks.ts";
import { canonical } from "./_lww.ts";

const selectAck = prepared((orm) =>
  orm
    .select({ since: session.ack, issued: session.issued })
    .from(session)
    .where(eq(session.id, sql.placeholder("id")))
    .prepare(),
);

/** What the server recorded about what a device has stored. */
export const storedAck = (inside: Inside, which: Which): Pick<ModelAck, "given" | "since"> => {
  const { reader } = inside.store();
  const { since = null, issued } = selectAck(reader).get({ id: inside.sessionOf(which) }) ?? {};
  const given = JSON.parse(issued ?? "[]") as { time: number; at: number; partial?: true }[];
  return {
    since,
    given: given.map(({ time, at, partial }) => ({ time, at, whole: partial !== true })),
  };
};

/**
 * Checks that nothing is lost: every version that was current or refused can be rebuilt from the
 * history.
 */
export const lookForVersions = (
  { store, accountId }: Inside,
  versions: ReadonlyMap<string, ReadonlySet<string>>,
  rows: readonly StoredRow[],
): void => {
  const { reader } = store();
  for (const row of rows) {
    const had = new Set([canonical([row.deleted_at, row.payload])]);
    const record = findRecord(reader, accountId, row.table, row.id);
    const history = versionsOf(store(), accountId);
    if (record)
      void walkBack(history, record, ({ before }) => {
        if (before) had.add(canonical([before.deletedAt, before.payload]));
        return false;
      });
    for (const version of versions.get(keyOf(row)) ?? [])
      if (!had.has(version)) throw new Error(`a version of ${keyOf(row)} has vanished: ${version}`);
  }
};
