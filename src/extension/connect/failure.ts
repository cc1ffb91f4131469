import { browser } from "../browser/api.ts";
import { patternOf } from "./address.ts";

type Reason = "no-http" | "no-https" | "no-server" | "wrong-certificate";

/** What the browser reports about the requests to a server, and `fetch` does not. */
export type Watching = {
  /** Why the last request failed. */
  readonly reason: () => Promise<Reason>;
  /** Where the server sends its visitors on to; null if the browser does not say. */
  readonly leadsTo: () => Promise<URL | null>;
  readonly end: () => void;
};

/** Watches the requests to a server from now on, as an extension may do with its own. */
export const watchRequests = (server: string): Watching => {
  const { onErrorOccurred, onHeadersReceived } = browser.webRequest ?? {};
  const errors: string[] = [];
  const targets: URL[] = [];
  const noteError = ({ url, error }: { readonly url: string; readonly error: string }): void => {
    if (isAt(server, url)) errors.push(error);
  };
  const noteTarget: Parameters<NonNullable<typeof onHeadersReceived>["addListener"]>[0] = ({
    url,
    responseHeaders = [],
  }) => {
    const header = responseHeaders.find(({ name }) => name.toLowerCase() === "location");
    const target = URL.parse(header?.value ?? "", url);
    if (isAt(server, url) && header && target) targets.push(target);
  };
  const filter = { urls: [patternOf(server)] };
  onErrorOccurred?.addListener(noteError, filter);
  onHeadersReceived?.addListener(noteTarget, filter, ["responseHeaders"]);
  return {
    reason: async () => {
      await soon(errors);
      return reasonIn(server, errors);
    },
    leadsTo: async () => {
      await soon(targets);
      return targets.at(-1) ?? null;
    },
    end: () => {
      onErrorOccurred?.removeListener(noteError);
      onHeadersReceived?.removeListener(noteTarget);
    },
  };
};

const isAt = (server: string, url: string): boolean => URL.parse(url)?.origin === server;

/** The event may come just after the answer. */
const soon = async (events: readonly unknown[]): Promise<void> => {
  if (browser.webRequest && events.length === 0)
    await new Promise((resolve) => setTimeout(resolve, 200));
};

const reasonIn = (server: string, errors: readonly string[]): Reason => {
  const isSecure = server.startsWith("https:");
  if (isSecure && errors.some(isNotTls)) return "no-https";
  if (isSecure && errors.some(isAboutCertificate)) return "wrong-certificate";
  return !isSecure && errors.some(isCutOff) ? "no-http" : "no-server";
};

/** What answers does not speak as https does. */
const isNotTls = (error: string): boolean =>
  /ERR_SSL_PROTOCOL_ERROR|exceeded the maximum permissible length/.test(error);

/**
 * Chrome's names begin with `net::ERR_CERT_` or `net::ERR_SSL_`. Firefox has names that begin with `NS_` for all other
 * failures, and for these a sentence in the person's own language.
 */
const isAboutCertificate = (error: string): boolean =>
  /^net::ERR_(CERT|SSL|BAD_SSL)|^NS_ERROR_MODULE_SECURITY|^(?!net::|NS_)/.test(error);

/** A server for https hangs up when somebody speaks http to it, or answers in bytes of its own. */
const isCutOff = (error: string): boolean =>
  /ERR_EMPTY_RESPONSE|ERR_INVALID_HTTP_RESPONSE|ERR_CONNECTION_RESET|ERR_CONNECTION_CLOSED|NS_ERROR_NET_RESET|NS_ERROR_NET_EMPTY_RESPONSE/.test(
    error,
  );
