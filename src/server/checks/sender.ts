import type { Call } from "../call.ts";
import type { Log } from "../log.ts";
import { addressOf, householdOf } from "../origin.ts";
import type { Service } from "../service.ts";
import type { Sender } from "./body-memory.ts";

/** Returns whose share of the memory for bodies a call takes. */
export const senderOf = (
  { settings, log }: Pick<Service, "log" | "settings">,
  { request, peer }: Call,
  accountId: number | null,
): Sender => {
  if (accountId !== null) return { accountId };
  const address = addressOf(request, peer(), settings);
  if (request.headers.has("x-forwarded-for") && !settings.isProxy(peer()))
    reportProxy(log, address);
  return { network: householdOf(address) };
};

/** Once for each log: anyone can send the header. */
const reportProxy = (log: Log, address: string): void => {
  if (reported.has(log)) return;
  reported.add(log);
  log.warn(
    "visitors who come through this address count as one, so they share its limits: if it is your proxy, set --trusted-proxies (DOCKET_TRUSTED_PROXIES) to it",
    { address },
  );
};

const reported = new WeakSet<Log>();
