import { createHash, randomBytes } from "node:crypto";
import { type Answer, send, type TestServer } from "./server.ts";
import { CHROME } from "./redirects.ts";
import type { Seen, Visitor } from "./web/visitor.ts";

type Fields = Readonly<Record<string, string>>;

/** Posts a form without an origin, as an extension's worker does. */
export const postForm = (
  server: Pick<TestServer, "url">,
  path: string,
  form: Fields | string,
  headers: Fields = {},
): Promise<Answer> =>
  send("POST", server.url + path, {
    body: typeof form === "string" ? form : `${new URLSearchParams(form)}`,
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
  });

/** An extension that signs in, with its own verifier and state. */
export const extension = (server: Pick<TestServer, "url">, redirect_uri: string = CHROME) => {
  const code_verifier = randomBytes(32).toString("base64url");
  const state = randomBytes(8).toString("hex");
  const request = {
    response_type: "code",
    client_id: "docket-extension",
    redirect_uri,
    code_challenge: createHash("sha256").update(code_verifier).digest("base64url"),
    code_challenge_method: "S256",
    state,
  };
  const grant = (code: string) => ({
    grant_type: "authorization_code",
    code,
    redirect_uri,
    client_id: "docket-extension",
    code_verifier,
  });
  return {
    state,
    request,
    /** The address that it opens, with some parameters changed. */
    address: (more: Fields = {}) =>
      `/oauth/authorize?${new URLSearchParams({ ...request, ...more })}`,
    /** The person presses a button on the consent page. */
    decide: (browser: Visitor, more: Fields = {}): Promise<Seen> =>
      browser.post("/oauth/authorize", {
        ...request,
        device_name: "laptop",
        decision: "allow",
        ...more,
      }),
    grant,
    exchange: (code: string, more: Fields = {}): Promise<Answer> =>
      postForm(server, "/oauth/token", { ...grant(code), ...more }),
  };
};

type Extension = ReturnType<typeof extension>;

/** The answer that an extension gets at its redirect address. */
export const answerIn = (seen: Seen): Fields =>
  Object.fromEntries(new URL(seen.location ?? "").searchParams);

/** A person lets an extension in. Returns the code that it is sent back with. */
export const codeFor = async (asker: Extension, browser: Visitor, more: Fields = {}) => {
  const seen = await asker.decide(browser, more);
  const { code } = answerIn(seen);
  if (seen.status !== 303 || code === undefined) throw new Error(`No code: ${seen.text}`);
  return code;
};

/** The token endpoint's reply to a valid code. */
export const TOKEN = (access_token: unknown) => ({
  access_token,
  token_type: "Bearer",
  expires_in: 30 * 24 * 60 * 60,
  scope: "read write",
});
