import type { SignedInContext } from "../shared/context.ts";

/** Notes in the log what someone did to their account, and from where. */
export const noteChange = ({ service, who, address }: SignedInContext, what: string): void =>
  service.log.info(what, { address, account: who.account.email });
