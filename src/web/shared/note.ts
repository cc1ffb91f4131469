import { readAccount } from "../../db/people/accounts.ts";
import type { PageContext, SignedInContext } from "./context.ts";

/** Notes in the log what someone did to their account, and from where. */
export const noteChange = ({ service, who, address }: SignedInContext, what: string): void =>
  service.log.info(what, { address, account: who.account.email });

/** Notes in the log who proved who they are, and from where: by signing in, or again while signed in. */
export const noteProof = (
  { service, store, address }: PageContext,
  accountId: number,
  what: "confirmed" | "signed in",
  by: Readonly<Record<string, string>>,
): void =>
  service.log.info(what, { address, ...by, account: readAccount(store, accountId)?.email ?? null });
