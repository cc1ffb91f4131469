import { and, eq, sql, type SQL } from "drizzle-orm";
import type { Leash } from "../leash.ts";
import { notFound } from "../refusal.ts";
import { INBOX_TITLE } from "../task.ts";
import { type Orm, prepared } from "./orm.ts";
import type { RecordRow } from "./records.ts";
import { account, record } from "./schema.ts";

/** Which form a query takes for a caller: none, or the kind of their leash. */
export type Reach = Leash["kind"] | "all";

export const reachOf = (leash: Leash | null): Reach => leash?.kind ?? "all";

/** The values of the placeholders in `tasksWithin` and `foldersWithin`. */
export const leashValues = (leash: Leash | null) => ({
  leashFolders: leash?.kind === "folders" ? JSON.stringify(leash.folders) : "[]",
});

const FOLDERS = sql`(select value from json_each(${sql.placeholder("leashFolders")}))`;

/** The account's inbox task, as long as it is one (`findInbox`). */
const IS_INBOX = sql`${record.id} = (select ${account.inboxTaskId} from ${account}
  where ${account.id} = ${sql.placeholder("accountId")})
  and ${record.open} = 1 and ${record.title} = ${sql.raw(`'${INBOX_TITLE}'`)}`;

/** The condition that keeps a query of tasks to what a caller may see. It stands beside the account's own. */
export const tasksWithin = (reach: Reach): SQL | undefined => {
  if (reach === "all") return undefined;
  return reach === "inbox" ? IS_INBOX : sql`${record.folderId} in ${FOLDERS}`;
};

/** The same for folders: of a key that is kept to the inbox there are none. */
export const foldersWithin = (reach: Reach): SQL | undefined => {
  if (reach === "all") return undefined;
  return reach === "inbox" ? sql`0` : sql`${record.id} in ${FOLDERS}`;
};

const selectTask = prepared((orm, reach: Reach) =>
  orm
    .select()
    .from(record)
    .where(
      and(
        eq(record.accountId, sql.placeholder("accountId")),
        eq(record.table, "sync_tasks"),
        eq(record.id, sql.placeholder("id")),
        sql`${record.deletedAt} is null`,
        tasksWithin(reach),
      ),
    )
    .prepare(),
);

/** A task within reach. Missing, deleted, other people's and those beyond a leash are all not found. */
export const findTask = (
  orm: Orm,
  accountId: number,
  leash: Leash | null,
  id: string,
): RecordRow => {
  const values = { accountId, id, ...leashValues(leash) };
  const row = selectTask(orm, reachOf(leash)).get(values);
  if (!row) throw notFound("task");
  return row;
};
