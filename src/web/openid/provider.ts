import type { ClientAuth, Configuration, CustomFetch } from "openid-client";
import type { OpenIdSettings } from "../../server/service.ts";
import { type Clock, HOUR, SECOND } from "../../domain/base/instant.ts";
import { lazy } from "../../domain/base/lazy.ts";
import { loadLibrary } from "../../domain/base/packing.ts";
import { isLoopback } from "../../domain/base/usage.ts";

/** Where the executable keeps the library, relative to the code. */
export const PACKED_OPENID = "packed/openid.js.br";

/** Loads the library, on first use. */
export const openIdLibrary = lazy(() =>
  loadLibrary<typeof import("./library.ts")>(import.meta.dir, PACKED_OPENID, "library.ts"),
);

/** The OpenID provider that people may sign in with. */
export type OpenId = {
  /** The name that pages use: its host name. */
  readonly name: string;
  readonly issuer: URL;
  /** How to talk to it. Throws what went wrong if the provider could not be asked. */
  readonly configuration: () => Promise<Configuration>;
};

/** The provider did not answer, or answered that it cannot answer now. */
export class Unreachable extends Error {}

/** s */
const TIMEOUT = 10;
const FRESH = HOUR;
const COOL_DOWN = 30 * SECOND;

/**
 * Asks the provider about itself when that is first needed, once for everyone who waits, and again after an
 * hour. After a failure it does not ask for half a minute, and uses what it knew before, if anything.
 */
export const startOpenId = (settings: OpenIdSettings, clock: Clock): OpenId => {
  let known: { readonly configuration: Configuration; readonly at: number } | null = null;
  let failed: { readonly cause: unknown; readonly at: number } | null = null;
  let asking: Promise<Configuration> | null = null;

  const context = async (): Promise<Configuration> => {
    try {
      const configuration = await discover(settings);
      known = { configuration, at: clock.steady() };
      return configuration;
    } catch (cause) {
      failed = { cause, at: clock.steady() };
      if (known) return known.configuration;
      throw cause;
    } finally {
      asking = null;
    }
  };

  const configuration = async (): Promise<Configuration> => {
    if (known && clock.steady() - known.at < FRESH) return known.configuration;
    if (failed && clock.steady() - failed.at < COOL_DOWN) {
      if (known) return known.configuration;
      throw failed.cause;
    }
    return (asking ??= context());
  };

  return { name: settings.issuer.host, issuer: settings.issuer, configuration };
};

/** The settings allow `http:` only for a provider on this machine. */
const discover = async ({
  issuer,
  clientId,
  clientSecret,
}: OpenIdSettings): Promise<Configuration> => {
  const library = await openIdLibrary();
  return library.discovery(issuer, clientId, {}, clientAuth(library, clientSecret), {
    timeout: TIMEOUT,
    [library.customFetch]: carefulFetch,
    execute: [
      // Checks the ID token's signature, however safely the token arrived.
      library.enableNonRepudiationChecks,
      ...(issuer.protocol === "http:" ? [library.allowInsecureRequests] : []),
    ],
  });
};

/** How this server authenticates: in the way the standard assumes, unless the provider says otherwise. */
const clientAuth = (
  { ClientSecretBasic, ClientSecretPost }: typeof import("./library.ts"),
  secret: string,
): ClientAuth => {
  const [basic, post] = [ClientSecretBasic(secret), ClientSecretPost(secret)];
  return (provider, ...request) => {
    const methods = provider.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
    return (methods.includes("client_secret_basic") ? basic : post)(provider, ...request);
  };
};

/** The most bytes of a reply. Discovery documents and keys have a few thousand. */
const LARGEST = 1024 * 1024;

/**
 * The only requests that the server makes by itself: over https or to this machine, without redirects, and
 * with small replies.
 */
const carefulFetch: CustomFetch = async (address, options) => {
  const url = new URL(address);
  if (url.protocol !== "https:" && !isLoopback(url.hostname))
    throw new Unreachable(`The provider gave an address without https: ${url.origin}`);
  // `fetch` accepts what the library sends, although its types are written for other runtimes.
  const init = { ...options, redirect: "manual" } as RequestInit;
  const response = await fetch(url, init).catch((cause: unknown) => {
    throw new Unreachable(`No answer from ${url.origin}`, { cause });
  });
  if (response.status >= 500) throw new Unreachable(`${url.origin} answered ${response.status}`);
  const { status, headers } = response;
  return new Response(await readBytes(response), { status, headers });
};

const readBytes = async (response: Response): Promise<Uint8Array<ArrayBuffer> | null> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > LARGEST) throw new Unreachable("The provider's answer is too large.");
    chunks.push(chunk);
  }
  return size === 0 ? null : Buffer.concat(chunks);
};
