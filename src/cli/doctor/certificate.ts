import { formatInstant, type Instant } from "../../domain/base/instant.ts";
import { expiresSoon } from "../../server/certificate.ts";
import { type Finding, note, ok, problem } from "./finding.ts";

/** Whether a certificate is still valid, and for long enough. */
export const expiryOf = (about: string, expires: Instant, now: Instant): Finding => {
  const until = `The certificate is valid until ${formatInstant(expires)}.`;
  const mend = "Renew it. A server that serves it itself takes up the new one without a restart.";
  if (expires <= now) return problem(about, until, mend);
  return expiresSoon(expires, now) ? note(about, until, mend) : ok(about, until);
};
