import { formatInstant, type Instant } from "../domain/base/instant.ts";
import { type Database, readAll } from "./store/database.ts";

/** Returns all that a store holds as JSON text, for a file that the person keeps. */
export const exportText = async (
  db: Database,
  from: {
    readonly account: { readonly email: string };
    readonly server: string;
    readonly now: Instant;
  },
): Promise<string> => {
  const { rows } = await readAll(db);
  const records = rows.map(
    ({ table, id, createdBy, createdByKey = null, server, edit, refused }) => ({
      table,
      id,
      created_by: createdBy,
      created_by_key: createdByKey,
      server,
      waiting: edit && { ...edit, order: undefined, isResent: undefined },
      refused,
    }),
  );
  return JSON.stringify(
    {
      account: from.account.email,
      server: from.server,
      exported_at: formatInstant(from.now),
      records,
    },
    null,
    2,
  );
};
