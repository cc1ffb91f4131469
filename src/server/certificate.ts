import { DAY, type Instant } from "../domain/base/instant.ts";
import { UsageError } from "../domain/base/usage.ts";
import type { Log } from "./log.ts";

/** A certificate chain and the private key of its first certificate, both as PEM. */
export type Certificate = { readonly cert: string; readonly key: string };

/** Reads both from their files as they are now. Throws `UsageError` if one cannot be read. */
export type ReadCertificate = () => Certificate;

/**
 * Returns when the certificate expires. Throws `UsageError` for a pair that cannot be served: an incomplete file, or a
 * key that belongs to another certificate.
 */
export const checkCertificate = ({ cert, key }: Certificate): Date => {
  const { X509Certificate, createPrivateKey } = process.getBuiltinModule("node:crypto");
  const { createSecureContext } = process.getBuiltinModule("node:tls");
  const own = parsed("tls-key is not a complete PEM file without a password.", () =>
    createPrivateKey(key),
  );
  return parsed("tls-cert is not a complete PEM file.", () => {
    const first = new X509Certificate(cert);
    if (!first.checkPrivateKey(own))
      throw new UsageError("tls-key does not belong to tls-cert. Set the key of this certificate.");
    // The rest of the chain.
    createSecureContext({ cert, key });
    return first.validToDate;
  });
};

const parsed = <T>(otherwise: string, parse: () => T): T => {
  try {
    return parse();
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError(otherwise);
  }
};

/** Whether a certificate that expires then should have been renewed by now: those that programs renew have 30 days left. */
export const expiresSoon = (expires: Instant, now: Instant): boolean => expires - now < 14 * DAY;

/**
 * Returns a function that looks at the files, and calls `renew` if they no longer have the `first` certificate, or the
 * last one since. A pair that cannot be served leaves the old one in place. That is logged once: at once if someone
 * `asked`, otherwise only if the next look finds the same, because the two files are not written at the same moment. One
 * that expires soon is logged once too.
 */
export const watchCertificate = (
  read: ReadCertificate,
  first: Certificate,
  renew: (certificate: Certificate) => void,
  log: Log,
  now: () => Instant,
): ((asked: boolean) => void) => {
  let served = first;
  let expires = checkCertificate(first);
  let isWarned = false;
  let problem: string | null = null;
  let isLogged = false;
  const look = (asked: boolean): void => {
    const found = read();
    if (found.cert === served.cert && found.key === served.key) {
      if (asked) log.info("the certificate has not changed", {});
      return;
    }
    expires = checkCertificate(found);
    renew(found);
    served = found;
    isWarned = false;
    log.info("the renewed certificate is served", { expires: expires.toISOString() });
  };
  const warnOfExpiry = (): void => {
    if (isWarned || !expiresSoon(expires.getTime(), now())) return;
    isWarned = true;
    const how = expires.getTime() > now() ? "expires soon" : "has expired";
    log.warn(`the certificate ${how}: renew it`, { expires: expires.toISOString() });
  };
  return (asked) => {
    try {
      look(asked);
      problem = null;
    } catch (error) {
      const cause = error instanceof Error ? error.message : String(error);
      if (cause !== problem) isLogged = false;
      if (!isLogged && (asked || cause === problem)) {
        isLogged = true;
        log.error("the new certificate cannot be used, so the old one is still served", cause);
      }
      problem = cause;
    }
    warnOfExpiry();
  };
};
