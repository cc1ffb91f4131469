import { browser } from "../browser/api.ts";
import { patternOf } from "./address.ts";

type Reason = "no-server" | "wrong-certificate";

/**
 * Watches the requests to a server from now on. A failed `fetch` does not say why it failed; the browser does, to an
 * extension that may watch its own requests.
 */
export const failureOf = (
  server: string,
): { readonly reason: () => Promise<Reason>; readonly end: () => void } => {
  const event = browser.webRequest?.onErrorOccurred;
  const errors: string[] = [];
  const listener = ({ url, error }: { readonly url: string; readonly error: string }): void => {
    if (URL.parse(url)?.origin === server) errors.push(error);
  };
  event?.addListener(listener, { urls: [patternOf(server)] });
  return {
    reason: async () => {
      // The event may come just after the failure.
      if (event && errors.length === 0) await new Promise((resolve) => setTimeout(resolve, 200));
      return errors.some(isAboutCertificate) ? "wrong-certificate" : "no-server";
    },
    end: () => event?.removeListener(listener),
  };
};

/** Chrome's names begin with `net::ERR_CERT_` or `net::ERR_SSL_`, Firefox's contain the names of its own library. */
const isAboutCertificate = (error: string): boolean =>
  /\b(ERR_CERT|ERR_SSL|ERR_BAD_SSL|SEC_ERROR|SSL_ERROR|MOZILLA_PKIX)|NS_ERROR_MODULE_SECURITY|issuer|certificate/i.test(
    error,
  );
