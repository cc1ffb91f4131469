import { formatInstant, type Instant } from "../domain/base/instant.ts";
import { TABLES_BY_NEED } from "../domain/base/record.ts";
import { type Database, readAll } from "./store/database.ts";
import { type Row, shownVersion } from "./store/row.ts";

/**
 * Returns all that a store holds as Docket's own JSON (`docket.export/1`), for a file that the person keeps, or imports again.
 * A record is as the person sees it here; where the server has another version, that comes with it.
 */
export const exportText = async (
  db: Database,
  from: {
    readonly account: { readonly email: string };
    readonly server: string;
    readonly now: Instant;
  },
): Promise<string> => {
  const { rows } = await readAll(db);
  const records = TABLES_BY_NEED.map((table) => [
    table,
    rows.filter((row) => row.table === table).flatMap(exportedRow),
  ]);
  return JSON.stringify(
    {
      format: "docket.export/1",
      account: from.account.email,
      server: from.server,
      exported_at: formatInstant(from.now),
      records: Object.fromEntries(records),
    },
    null,
    2,
  );
};

const exportedRow = (row: Row): readonly object[] => {
  const shown = shownVersion(row);
  if (!shown) return [];
  const { id, createdBy, createdByKey = null, server, refused } = row;
  const { updatedAt, deletedAt, payload } = shown;
  return [
    {
      id,
      updated_at: updatedAt,
      deleted_at: deletedAt,
      created_by: createdBy,
      created_by_key: createdByKey,
      payload,
      ...(shown === server ? {} : { server, refused: refused?.reason ?? null }),
    },
  ];
};
