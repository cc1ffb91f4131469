import { createHash, randomBytes } from "node:crypto";
import { type Answer, send, type TestServer } from "./server.ts";
import { CHROME } from "./redirects.ts";
import type { Seen, Visitor } from "../web/_visitor.ts";

type Fields = Readonly<Record<string, string>>;

/** Posts a form from anywhere, as an extension's worker does. */
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

/** An extension that signs in, with a verifier and a state of its own. */
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
    /** Where it leads its person, with what is asked for differently. */
    address: (more: Fields = {}) =>
      `/oauth/authorize?${new URLSearchParams({ ...request, ...more })}`,
    /** Its person presses a button of the consent page. */
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

/** What an extension was told at its redirect. */
export const answerIn = (seen: Seen): Fields =>
  Object.fromEntries(new URL(seen.location ?? "").searchParams);

/** Someone lets an extension in: the code that it was sent back with. */
export const codeFor = async (asker: Extension, browser: Visitor, more: Fields = {}) => {
  const seen = await asker.decide(browser, more);
  const { code } = answerIn(seen);
  if (seen.status !== 303 || code === undefined) throw new Error(`No code: ${seen.text}`);
  return code;
};

/** What the token endpoint gives for a good code. */
export const TOKEN = (access_token: unknown) => ({
  access_token,
  token_type: "Bearer",
  expires_in: 30 * 24 * 60 * 60,
  scope: "read write",
});
