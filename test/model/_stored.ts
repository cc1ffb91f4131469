import { eq, sql } from "drizzle-orm";
import { prepared } from "../../src/db/sqlite/orm.ts";
import { findRecord } from "../../src/db/sqlite/records/find.ts";
import { session } from "../../src/db/schema/credentials.ts";
import { versionsOf } from "../../src/db/history/history.ts";
import { walkBack } from "../../src/db/history/walk.ts";
import type { Instant } from "../../src/domain/base/instant.ts";
import { keyOf, type Row } from "../support/client.ts";
import type { Which } from "../support/histories.ts";
import type { Inside, StoredRow } from "../support/world.ts";
import { canonical } from "./_lww.ts";

const selectAck = prepared((orm) =>
  orm
    .select({ since: session.ack })
    .from(session)
    .where(eq(session.id, sql.placeholder("id")))
    .prepare(),
);

/** Up to where a device has stored everything, as far as the server recorded it. */
export const storedAck = (inside: Inside, which: Which): Instant | null =>
  selectAck(inside.store().reader).get({ id: inside.sessionOf(which) })?.since ?? null;

/** Every version that was stored or refused, by record. */
export type Versions = Map<string, Set<string>>;

export const noteVersion = (versions: Versions, row: Row): void => {
  const known = versions.get(keyOf(row)) ?? new Set<string>();
  versions.set(keyOf(row), known.add(canonical([row.deleted_at, row.payload])));
};

/**
 * Checks that nothing is lost: every version that was current or refused can be rebuilt from the
 * history.
 */
export const lookForVersions = async (
  { store, accountId }: Inside,
  versions: Versions,
  rows: readonly StoredRow[],
): Promise<void> => {
  const { reader } = store();
  for (const row of rows) {
    const had = new Set([canonical([row.deleted_at, row.payload])]);
    const record = findRecord(reader, accountId, row.table, row.id);
    const history = versionsOf(store(), accountId);
    if (record)
      await walkBack(history, record, ({ before }) => {
        if (before) had.add(canonical([before.deletedAt, before.payload]));
        return false;
      });
    for (const version of versions.get(keyOf(row)) ?? [])
      if (!had.has(version)) throw new Error(`a version of ${keyOf(row)} has vanished: ${version}`);
  }
};
