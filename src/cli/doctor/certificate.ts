import { DAY, formatInstant, type Instant } from "../../domain/base/instant.ts";
import { type Finding, note, ok, problem } from "./finding.ts";

const SOON = 14 * DAY;

/** Whether a certificate is still valid, and for long enough. */
export const expiryOf = (about: string, expires: Instant, now: Instant): Finding => {
  const until = `The certificate is valid until ${formatInstant(expires)}.`;
  const mend = "Renew it. A server that serves it itself takes up the new one without a restart.";
  if (expires <= now) return problem(about, until, mend);
  return expires - now < SOON ? note(about, until, mend) : ok(about, until);
};
