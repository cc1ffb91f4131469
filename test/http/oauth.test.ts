import { expect, test } from "bun:test";
import { disableAccount, enableAccount, setPassword } from "../../src/db/people/accounts.ts";
import { listSessions } from "../../src/db/people/sessions.ts";
import { codeFor, extension, postForm, TOKEN } from "../support/extension.ts";
import { LISTED } from "../support/redirects.ts";
import { newcomer, sharedServer } from "../support/replies.ts";
import { someoneSignedIn } from "../support/web/visitor.ts";

const server = await sharedServer({ settings: { extensionRedirects: [LISTED] } });
const { call, store, clock } = server;

const invalidGrant = (problem: string) => ({
  error: "invalid_grant",
  error_description: `${problem} Start again from the extension to get a new one.`,
});

test("A code becomes a session that says when it ends", async () => {
  const ann = await someoneSignedIn(server);
  const asker = extension(server, LISTED);
  const { status, json, headers } = await asker.exchange(await codeFor(asker, ann));
  expect([status, json]).toEqual([200, TOKEN(expect.stringMatching(/^docket_sess_/))]);
  expect(headers.get("cache-control")).toBe("no-store");
  const me = await call("GET", "/me", { token: json.access_token });
  expect(me.json.expires_at).toBe(new Date(clock.wall() + json.expires_in * 1_000).toISOString());
});

test("A code of a disabled account is void", async () => {
  const ann = await someoneSignedIn(server);
  const asker = extension(server, LISTED);
  const code = await codeFor(asker, ann);
  await disableAccount(store, ann.account.email, clock.wall());
  const answer = await asker.exchange(code);
  expect([answer.status, answer.json]).toEqual([
    400,
    invalidGrant("The account that this code belongs to is disabled."),
  ]);
  await enableAccount(store, ann.account.email);
  expect(await listSessions(store, ann.account.id)).toEqual([]);
});

test("A new password voids unused codes", async () => {
  const ann = await someoneSignedIn(server);
  const asker = extension(server, LISTED);
  const code = await codeFor(asker, ann);
  await setPassword(store, ann.account.email, "x", { browserSessionId: null }, clock.wall());
  const answer = await asker.exchange(code);
  expect([answer.status, answer.json]).toEqual([
    400,
    invalidGrant(
      "This code is not valid. It may be mistyped, or a newer code may have replaced it.",
    ),
  ]);
});

test.each([
  ["nothing", "", "invalid_request", "grant_type is missing."],
  [
    "a password",
    "grant_type=password&username=ann&password=p&client_id=docket-extension",
    "unsupported_grant_type",
    "grant_type must be authorization_code or urn:docket:pairing.",
  ],
  [
    "a code without verifier",
    "grant_type=authorization_code&code=c&client_id=docket-extension&redirect_uri=r",
    "invalid_request",
    "code_verifier is missing.",
  ],
  [
    "a code twice",
    "grant_type=authorization_code&code=c&code=d",
    "invalid_request",
    "Send each parameter only once.",
  ],
])("%s is refused with OAuth's own error", async (_name, form, error, error_description) => {
  const answer = await postForm(server, "/oauth/token", form);
  expect([answer.status, answer.json]).toEqual([400, { error, error_description }]);
});

const FORM = "application/x-www-form-urlencoded";

test.each([
  [
    "JSON",
    "{}",
    "application/json",
    415,
    "Send the body as a form, with Content-Type: application/x-www-form-urlencoded.",
  ],
  [
    "plain text",
    "token=x",
    "text/plain",
    415,
    "Send the body as a form, with Content-Type: application/x-www-form-urlencoded.",
  ],
  ["another charset", "token=x", `${FORM};charset=utf-16`, 415, "Send the body in UTF-8."],
  ["invalid UTF-8", new Uint8Array([0xff]), FORM, 400, "The body is not valid UTF-8."],
  ["a body that is too large", "x".repeat(16_385), FORM, 413, "The body must be at most 16 KiB."],
] as const)("%s is not a form", async (_name, body, type, status, error_description) => {
  for (const path of ["!/oauth/token", "!/oauth/revoke"]) {
    const answer = await call("POST", path, { body, headers: { "content-type": type } });
    expect([answer.status, answer.json]).toEqual([
      status,
      { error: "invalid_request", error_description },
    ]);
  }
});

test.each([FORM, `${FORM};charset=UTF-8`, "Application/X-WWW-Form-URLEncoded"])(
  "%s is a form",
  async (type) => {
    const answer = await call("POST", "!/oauth/revoke", {
      body: "token=x",
      headers: { "content-type": type },
    });
    expect([answer.status, answer.json]).toEqual([200, {}]);
  },
);

test("A session can revoke its own token, for good", async () => {
  const ann = await newcomer(server);
  const [before] = await listSessions(store, ann.account.id);
  expect((await call("GET", "/me", { token: ann.session })).status).toBe(200);
  for (const hint of [{}, { token_type_hint: "refresh_token" }]) {
    const answer = await postForm(server, "/oauth/revoke", { token: ann.session, ...hint });
    expect([answer.status, answer.json]).toEqual([200, {}]);
    clock.advance(1_000);
  }
  expect((await call("GET", "/me", { token: ann.session })).status).toBe(401);
  const [after] = await listSessions(store, ann.account.id);
  expect([before?.revokedAt, after?.revokedAt]).toEqual([null, clock.wall() - 2_000]);
});

test("An unknown token counts as revoked, and nothing else is revoked", async () => {
  const ann = await newcomer(server);
  const key = await ann.key();
  for (const token of ["x", `${ann.session}x`, ann.session.slice(0, -1), `${key}x`, "ABCD-EFGH"]) {
    const answer = await postForm(server, "/oauth/revoke", { token });
    expect([answer.status, answer.json]).toEqual([200, {}]);
  }
  for (const token of [ann.session, key])
    expect((await call("GET", "/me", { token })).status).toBe(200);
});

test("An API key cannot be revoked here", async () => {
  const key = await (await newcomer(server)).key();
  const answer = await postForm(server, "/oauth/revoke", { token: key });
  expect([answer.status, answer.json]).toEqual([
    400,
    {
      error: "unsupported_token_type",
      error_description:
        "API keys cannot be revoked here. Revoke them on the API keys page of your account.",
    },
  ]);
  expect((await call("GET", "/me", { token: key })).status).toBe(200);
});

test.each(["", "token=", "token=a&token=b"])("%p revokes nothing", async (form) => {
  const answer = await postForm(server, "/oauth/revoke", form);
  expect([answer.status, answer.json]).toEqual([
    400,
    { error: "invalid_request", error_description: "token is missing." },
  ]);
});
