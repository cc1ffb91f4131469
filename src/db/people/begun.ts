import { eq, sql } from "drizzle-orm";
import { apiKey, session } from "../schema/credentials.ts";
import { fileImport } from "../schema/imports.ts";
import { account } from "../schema/records.ts";
import { browserSession } from "../schema/sign-in.ts";
import type { Store } from "../store.ts";

/** How far somebody has come who has just begun. */
export type Begun = {
  /** Whether a device has ever signed in, other than a browser with the web app. */
  readonly hasDevice: boolean;
  readonly hasKey: boolean;
  readonly hasImported: boolean;
};

export const readBegun = async (store: Store, accountId: number): Promise<Begun> => {
  const own = (table: typeof apiKey | typeof fileImport | typeof session) =>
    sql`select 1 from ${table} where ${table.accountId} = ${accountId}`;
  // The web app's session has the id of the browser's own: see `openAppSession`.
  const device = sql`${own(session)} and ${session.id} not in (select id from ${browserSession})`;
  const is = (some: typeof device) => sql<number>`case when exists (${some}) then 1 else 0 end`;
  const row = await store.reader
    .select({ device: is(device), key: is(own(apiKey)), imported: is(own(fileImport)) })
    .from(account)
    .where(eq(account.id, accountId))
    .get();
  return {
    hasDevice: row?.device === 1,
    hasKey: row?.key === 1,
    hasImported: row?.imported === 1,
  };
};
