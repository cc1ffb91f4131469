import { eq } from "drizzle-orm";
import type { Orm } from "../sqlite/orm.ts";
import { authenticator } from "../schema/sign-in.ts";

/** Whether the account has an authenticator app, so that its password alone signs nobody in. */
export const hasAuthenticator = (orm: Orm, accountId: number): boolean =>
  readAuthenticator(orm, accountId) !== undefined;

/** The account's authenticator app, if it has one. */
export const readAuthenticator = (orm: Orm, accountId: number) =>
  orm.select().from(authenticator).where(eq(authenticator.accountId, accountId)).get();
