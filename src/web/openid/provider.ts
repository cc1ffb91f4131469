import {
  allowInsecureRequests,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  type CustomFetch,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
} from "openid-client";
import type { OpenIdSettings } from "../../server/service.ts";
import { type Clock, HOUR, SECOND } from "../../domain/base/instant.ts";
import { isLoopback } from "../../domain/base/usage.ts";

/** The OpenID provider that people may sign in with. */
export type OpenId = {
  /** What pages call it: its host name. */
  readonly name: string;
  readonly issuer: URL;
  /** How it is spoken to. Throws what went wrong if it could not be asked. */
  readonly configuration: () => Promise<Configuration>;
};

/** It did not answer, or that it cannot answer now. */
export class Unreachable extends Error {}

/** s */
const TIMEOUT = 10;
const FRESH = HOUR;
const COOL_DOWN = 30 * SECOND;

/**
 * Asks the provider about itself when it is first needed, once for all who wait, and again after an hour.
 * After a failure nobody asks for half a minute: what was known before is used, if anything was.
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

/** Settings allow `http:` for a provider on this machine only. */
const discover = ({ issuer, clientId, clientSecret }: OpenIdSettings): Promise<Configuration> =>
  discovery(issuer, clientId, {}, clientAuth(clientSecret), {
    timeout: TIMEOUT,
    [customFetch]: carefulFetch,
    execute: [
      // The ID token's signature is checked, however safely the token came.
      enableNonRepudiationChecks,
      ...(issuer.protocol === "http:" ? [allowInsecureRequests] : []),
    ],
  });

/** How the server names itself: as the standard takes for granted, unless the provider says otherwise. */
const clientAuth = (secret: string): ClientAuth => {
  const [basic, post] = [ClientSecretBasic(secret), ClientSecretPost(secret)];
  return (provider, ...request) => {
    const methods = provider.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
    return (methods.includes("client_secret_basic") ? basic : post)(provider, ...request);
  };
};

/** Bytes of an answer: discovery documents and keys have some thousand. */
const LARGEST = 1024 * 1024;

/** The only requests that the server makes by itself: https or to this machine, no redirects, few bytes. */
const carefulFetch: CustomFetch = async (address, options) => {
  const url = new URL(address);
  if (url.protocol !== "https:" && !isLoopback(url.hostname))
    throw new Unreachable(`The provider names an address without https: ${url.origin}`);
  // What the library sends is what `fetch` takes, though its types are written for other runtimes.
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
