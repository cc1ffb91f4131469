import { afterAll } from "bun:test";
import { createHmac, createSign, generateKeyPairSync } from "node:crypto";
import type { OpenIdSettings } from "../../../src/server/service.ts";
import { SECOND } from "../../../src/domain/base/instant.ts";

/** How the provider departs from what it should say. */
export type Lies = {
  /** Claims of the ID token that replace the right ones; undefined leaves one out. */
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly alg?: "HS256" | "none";
  /** Whether it signs with a key that it does not publish. */
  readonly strangeKey?: boolean;
  readonly withoutToken?: boolean;
  /** Metadata that replaces the right metadata. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** The reply to every request, instead of the right one. */
  readonly reply?: () => Response;
};

export type Liar = {
  readonly settings: OpenIdSettings;
  /** Sets what it says from now on, to someone who was sent there with this nonce. */
  readonly say: (lies: Lies, nonce?: string) => void;
  /** The paths requested, in order. */
  readonly asked: string[];
};

const CLIENT = { clientId: "docket", clientSecret: "a secret for tests alone" };

/** An OpenID provider on this machine, without pages, that answers as the test wants. */
export const startLiar = (): Liar => {
  const [own, strange] = [rsa(), rsa()];
  const jwk = { ...own.publicKey.export({ format: "jwk" }), kid: "1", alg: "RS256", use: "sig" };
  const asked: string[] = [];
  let lies: Lies = {};
  let nonce = "";

  const idToken = (issuer: string): string => {
    const now = Math.floor(Date.now() / SECOND);
    const right = { iss: issuer, aud: CLIENT.clientId, sub: "ann", nonce, iat: now, exp: now + 60 };
    const header = { alg: lies.alg ?? "RS256", kid: "1", typ: "JWT" };
    const signed = [header, { ...right, ...lies.claims }].map(encode).join(".");
    return `${signed}.${signatureOf(signed)}`;
  };

  const signatureOf = (text: string): string => {
    if (lies.alg === "none") return "";
    if (lies.alg === "HS256")
      return createHmac("sha256", CLIENT.clientSecret).update(text).digest("base64url");
    const { privateKey } = lies.strangeKey ? strange : own;
    return createSign("sha256").update(text).sign(privateKey, "base64url");
  };

  const http = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: ({ url }) => {
      const { origin, pathname } = new URL(url);
      asked.push(pathname);
      if (lies.reply) return lies.reply();
      if (pathname === "/jwks") return Response.json({ keys: [jwk] });
      if (pathname !== "/token") return Response.json({ ...metadata(origin), ...lies.metadata });
      const token = { access_token: "a", token_type: "Bearer" };
      return Response.json(lies.withoutToken ? token : { ...token, id_token: idToken(origin) });
    },
  });
  afterAll(() => http.stop(true));
  return {
    settings: { ...CLIENT, issuer: new URL(http.url.origin) },
    say: (said, to = "") => {
      lies = said;
      nonce = to;
    },
    asked,
  };
};

const metadata = (origin: string) => ({
  issuer: origin,
  authorization_endpoint: `${origin}/authorize`,
  token_endpoint: `${origin}/token`,
  jwks_uri: `${origin}/jwks`,
  response_types_supported: ["code"],
  id_token_signing_alg_values_supported: ["RS256"],
  authorization_response_iss_parameter_supported: true,
});

const rsa = () => generateKeyPairSync("rsa", { modulusLength: 2048 });

const encode = (part: unknown): string => Buffer.from(JSON.stringify(part)).toString("base64url");
