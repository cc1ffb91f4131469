import { afterAll } from "bun:test";
import { generateKeyPairSync } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Context, Provider } from "oidc-provider";
import type { OpenIdSettings } from "../../../src/server/service.ts";

/** What someone does on the provider's pages. */
type Wish = { readonly subject: string } | { readonly error: string };

export type RealProvider = {
  readonly settings: OpenIdSettings;
  /** Starts to answer, for the server at this address. */
  readonly serve: (server: string) => void;
  /** A browser in which nobody is signed in to the provider yet. */
  readonly browser: () => ProviderBrowser;
  /** What people do from now on when they are asked, in real browsers. */
  readonly expect: (wish: Wish) => void;
};

export type ProviderBrowser = {
  /** Follows our server's redirect, does what the test wants if asked, and returns the address that it is sent back to. */
  readonly follow: (location: string | null, wish: Wish) => Promise<string>;
};

const CLIENT = { clientId: "docket", clientSecret: "a secret for tests alone" };

/** A real OpenID provider on this machine, where everyone has an account. */
export const startProvider = async (): Promise<RealProvider> => {
  let answer: ReturnType<Provider["callback"]> | null = null;
  const http = createServer((request, response) => answer?.(request, response));
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  afterAll(() => void http.close());
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  let wish: Wish = { subject: "nobody" };
  return {
    settings: { ...CLIENT, issuer: new URL(issuer) },
    serve: (server) => {
      const provider = providerFor(issuer, `${server}/sign-in/openid/callback`);
      const serve = provider.callback();
      answer = (request, response) => {
        if (!request.url?.startsWith("/ask/")) return serve(request, response);
        const result = "error" in wish ? wish : { login: { accountId: wish.subject } };
        void provider.interactionFinished(request, response, result);
      };
    },
    expect: (wished) => {
      wish = wished;
    },
    browser: () => {
      const cookies = new Map<string, string>();
      return {
        follow: (location, wished) => {
          wish = wished;
          return walk(issuer, cookies, location ?? "");
        },
      };
    },
  };
};

const providerFor = (issuer: string, callback: string): Provider => {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const provider = new Provider(issuer, {
    clients: [
      { client_id: CLIENT.clientId, client_secret: CLIENT.clientSecret, redirect_uris: [callback] },
    ],
    cookies: { keys: ["for tests alone"] },
    jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), use: "sig", alg: "RS256" }] },
    features: { devInteractions: { enabled: false } },
    pkce: { required: () => true },
    // In seconds. Set here because the package warns about its own defaults.
    ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    claims: { email: ["email"], profile: ["preferred_username"] },
    interactions: { url: (_: unknown, { uid }: { readonly uid: string }) => `/ask/${uid}` },
    findAccount: (_: unknown, subject: string) => ({
      accountId: subject,
      claims: () => ({ sub: subject, email: subject, preferred_username: `${subject} there` }),
    }),
    // Everyone agrees to everything.
    loadExistingGrant: async ({ oidc: { client, account } }: Context) => {
      const of = { clientId: client.clientId, accountId: account.accountId };
      const grant = new provider.Grant(of);
      grant.addOIDCScope("openid profile email");
      await grant.save();
      return grant;
    },
  });
  return provider;
};

/** Follows the provider from page to page, until it redirects elsewhere. */
const walk = async (
  issuer: string,
  cookies: Map<string, string>,
  start: string,
): Promise<string> => {
  let location = start;
  while (location.startsWith(issuer)) {
    const cookie = [...cookies].map((pair) => pair.join("=")).join("; ");
    const response = await fetch(location, { redirect: "manual", headers: { cookie } });
    for (const field of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(field) ?? [];
      if (value === "") cookies.delete(name);
      else cookies.set(name, value);
    }
    const next = response.headers.get("location");
    if (next === null) throw new Error(`${response.status}: ${await response.text()}`);
    location = new URL(next, location).href;
  }
  return location;
};
