import { eq, sql } from "drizzle-orm";
import { account } from "../../schema/records.ts";
import { type Orm, prepared } from "../orm.ts";

const selectInbox = prepared((orm) =>
  orm
    .select({ id: account.inboxTaskId })
    .from(account)
    .where(eq(account.id, sql.placeholder("accountId")))
    .prepare(),
);

export const findInboxId = (orm: Orm, accountId: number): string | null =>
  selectInbox(orm).get({ accountId })?.id ?? null;

export const setInboxId = (orm: Orm, accountId: number, taskId: string): void => {
  orm.update(account).set({ inboxTaskId: taskId }).where(eq(account.id, accountId)).run();
};
