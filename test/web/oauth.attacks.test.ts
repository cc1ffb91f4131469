import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { createKey } from "../../src/db/people/api-keys.ts";
import { createSession } from "../../src/db/people/sessions.ts";
import { cryptoRandom } from "../../src/domain/base/secret.ts";
import { answerIn, codeFor, extension } from "../support/extension.ts";
import { CHROME, FIREFOX, LISTED, LOOK_ALIKES, LOOPBACK } from "../support/redirects.ts";
import { ON_POSTGRES } from "../support/engine.ts";
import { sharedServer } from "../support/replies.ts";
import { ask } from "../support/db/store.ts";
import { PASSWORD, type Seen, someoneSignedIn, visitor } from "../support/web/visitor.ts";

const server = await sharedServer({ settings: { extensionRedirects: [LISTED] } });
const ann = await someoneSignedIn(server);

/** How many codes there are, used ones too. A refused request creates none. */
const codes = (): number =>
  ask<{ n: number }>(server.directory, "SELECT count(*) AS n FROM code")[0]?.n ?? -1;

const expectNowhere = (seen: Seen, says: string): void => {
  expect([seen.status, seen.location]).toEqual([400, null]);
  expect(seen.text).toContain(says);
  expect(seen.html).not.toContain("http-equiv");
};

test.each(LOOK_ALIKES)("%s is not redirected to, and the page says so", async (_n, uri) => {
  const before = codes();
  const asker = extension(server, uri);
  const says =
    uri === ""
      ? "must say exactly once where to return to (redirect_uri)."
      : "which this server does not know as the address of an extension.";
  for (const more of [{}, { prompt: "none" }, { response_type: "token" }, { state: "" }]) {
    expectNowhere(await ann.get(asker.address(more)), says);
    expectNowhere(await visitor(server).get(asker.address(more)), says);
  }
  for (const decision of ["allow", "deny"])
    expectNowhere(await asker.decide(ann, { decision, password: PASSWORD }), says);
  expect(codes()).toBe(before);
});

test.each([
  ["of another client", { client_id: "evil" }],
  ["without a client", { client_id: "" }],
])("a request %s is not redirected anywhere", async (_name, more) => {
  const asker = extension(server, LISTED);
  const says = "its client_id must be docket-extension. Start again from the extension.";
  expectNowhere(await ann.get(asker.address(more)), says);
  expectNowhere(await asker.decide(ann, more), says);
});

test("what an address contains is shown as text, never as markup", async () => {
  const uri = 'https://evil.example/"><script>alert(1)</script>';
  const seen = await ann.get(extension(server, uri).address({ client_id: "docket-extension" }));
  expect(seen.html).not.toContain("<script>alert");
  expect(seen.text).toContain("<script>alert(1)</script>");
});

const STATE = "state must be 1 to 512 printable ASCII characters.";

test.each([
  ["no challenge", { code_challenge: "" }, /^code_challenge must be/],
  ["a challenge that is not a hash", { code_challenge: "plain" }, /^code_challenge must be/],
  ["no method", { code_challenge_method: "" }, /^code_challenge_method must be S256\.$/],
  [
    "the plain method",
    { code_challenge_method: "plain" },
    /^code_challenge_method must be S256\.$/,
  ],
  ["no state", { state: "" }, new RegExp(STATE)],
  ["a token at once", { response_type: "token" }, /^response_type must be code\.$/],
])("with %s no code is issued, and the extension is told why", async (_n, more, why) => {
  const before = codes();
  const asker = extension(server, LISTED);
  for (const seen of [
    await ann.get(asker.address(more)),
    await visitor(server).get(asker.address(more)),
    await asker.decide(ann, { ...more, password: PASSWORD }),
  ]) {
    const { error, error_description, state, iss, code } = answerIn(seen);
    expect([seen.status, seen.location?.startsWith(`${LISTED}&error=`)]).toEqual([303, true]);
    expect(error).toBeOneOf(["invalid_request", "unsupported_response_type"]);
    expect(error_description).toMatch(why);
    expect([state, iss, code]).toEqual([
      "state" in more ? undefined : asker.state,
      server.url,
      undefined,
    ]);
  }
  expect(codes()).toBe(before);
});

test("a parameter that is sent twice is refused everywhere", async () => {
  const asker = extension(server, LISTED);
  for (const [name, value] of Object.entries(asker.request)) {
    const seen = await ann.get(`${asker.address()}&${new URLSearchParams({ [name]: value })}`);
    if (name === "client_id" || name === "redirect_uri") expect(seen.status).toBe(400);
    else expect(answerIn(seen)["error_description"]).toBe("Send each parameter only once.");
    expect(answerIn(seen.location ? seen : { ...seen, location: server.url })["code"]).toBe(
      undefined,
    );
  }
});

const invalidGrant = (problem: string) => ({
  error: "invalid_grant",
  error_description: `${problem} Start again from the extension to get a new one.`,
});
const UNFIT = invalidGrant(
  "This code was issued for a different client_id, redirect_uri or code_verifier, and can no longer be used.",
);
const USED = invalidGrant("This code has already been used.");
const EXPIRED = invalidGrant("This code has expired.");
const UNKNOWN = invalidGrant(
  "This code is not valid. It may be mistyped, or a newer code may have replaced it.",
);

test.each([
  ["another verifier", { code_verifier: "x".repeat(43) }],
  ["a malformed verifier", { code_verifier: "x" }],
  ["another redirect", { redirect_uri: CHROME }],
  ["the redirect with something appended", { redirect_uri: `${LISTED}&a=b` }],
  ["another client", { client_id: "evil" }],
])(
  "a code presented with %s is void, even for the extension it was issued to",
  async (_name, more) => {
    const asker = extension(server, LISTED);
    const code = await codeFor(asker, ann);
    const tried = await asker.exchange(code, more);
    expect([tried.status, tried.json]).toEqual([400, UNFIT]);
    const right = await asker.exchange(code);
    expect([right.status, right.json]).toEqual([400, USED]);
  },
);

test("the challenge itself does not work as a verifier", async () => {
  const asker = extension(server, LISTED);
  const code = await codeFor(asker, ann);
  const tried = await asker.exchange(code, { code_verifier: asker.request.code_challenge });
  expect([tried.status, tried.json]).toEqual([400, UNFIT]);
});

test("a code works for 60 seconds", async () => {
  const asker = extension(server, LISTED);
  const [early, late] = [await codeFor(asker, ann), await codeFor(asker, ann)];
  server.clock.advance(59_999);
  expect((await asker.exchange(early)).status).toBe(200);
  server.clock.advance(1);
  const answer = await asker.exchange(late);
  expect([answer.status, answer.json]).toEqual([400, EXPIRED]);
});

test("presenting a code again ends the session it created, even an hour later", async () => {
  const asker = extension(server, LISTED);
  for (const wait of [0, 3_600_000]) {
    const code = await codeFor(asker, ann);
    const token = (await asker.exchange(code)).json.access_token as string;
    expect((await server.call("GET", "/me", { token })).status).toBe(200);
    server.clock.advance(wait);
    // Someone who has only the code, without the verifier, is reason enough.
    const again = await asker.exchange(code, { code_verifier: "x".repeat(43) });
    expect([again.status, again.json]).toEqual([400, USED]);
    expect((await server.call("GET", "/me", { token })).status).toBe(401);
  }
});

test("if many present a code at once, exactly one gets a session, which is then ended", async () => {
  const asker = extension(server, LISTED);
  const code = await codeFor(asker, ann);
  const answers = await Promise.all(Array.from({ length: 20 }, () => asker.exchange(code)));
  const [won, ...others] = answers.toSorted((a, b) => a.status - b.status);
  expect(won?.status).toBe(200);
  for (const { status, json } of others) expect([status, json]).toEqual([400, USED]);
  const token = won?.json.access_token as string;
  expect((await server.call("GET", "/me", { token })).status).toBe(401);
});

test("a code injected into another answer does not work with that state or verifier", async () => {
  const bob = await someoneSignedIn(server, "bob");
  const [mine, theirs] = [extension(server, LISTED), extension(server, LISTED)];
  const code = await codeFor(theirs, bob);
  expect(answerIn(await mine.decide(ann))["state"]).toBe(mine.state);
  const answer = await mine.exchange(code);
  expect([answer.status, answer.json]).toEqual([400, UNFIT]);
});

test("a code of another kind is unknown", async () => {
  const asker = extension(server, LISTED);
  const { secret } = await createSession(server.store, ann.account.id, "x", cryptoRandom, 0);
  for (const code of ["x", "docket_code_", secret, "0".repeat(5_000), "ABCD-EFGH-JKMN-PQRS"]) {
    const answer = await asker.exchange(code);
    expect([answer.status, answer.json]).toEqual([400, UNKNOWN]);
  }
});

const wish = {
  name: "bot",
  scopes: ["read", "write"] as const,
  restriction: null,
  expiresAt: null,
};
const { id } = ann.account;
const key = (await createKey(server.store, id, wish, cryptoRandom, server.clock.wall())).secret;
const { secret: session } = await createSession(
  server.store,
  id,
  "laptop",
  cryptoRandom,
  server.clock.wall(),
);
const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
const jwt = `${base64({ alg: "none" })}.${base64({ sub: String(id), email: ann.account.email })}.`;
const cookie = `docket-${new URL(server.url).port}`;

test.each([
  ["an API key", { authorization: `Bearer ${key}` }],
  ["a session's token", { authorization: `Bearer ${session}` }],
  ["a JWT", { authorization: `Bearer ${jwt}` }],
  ["a password", { authorization: `Basic ${btoa(`${ann.account.email}:${PASSWORD}`)}` }],
  ["an API key as a cookie", { cookie: `${cookie}=${key}` }],
  ["a session's token as a cookie", { cookie: `${cookie}=${session}` }],
  ["a JWT as a cookie", { cookie: `${cookie}=${jwt}` }],
])("%s allows nothing at the consent page", async (_name, headers) => {
  const before = codes();
  const asker = extension(server, LISTED);
  const form = { ...asker.request, device_name: "laptop", decision: "allow", password: PASSWORD };
  const stranger = visitor(server);
  for (const seen of [
    await stranger.get(asker.address(), headers),
    await stranger.post("/oauth/authorize", form, { ...headers, origin: server.url }),
  ]) {
    expect(seen.status).toBe(303);
    expect(seen.location).toStartWith("/sign-in?next=%2Foauth%2Fauthorize%3F");
  }
  expect(codes()).toBe(before);
});

test.each([
  ["from another site", { origin: "https://evil.example", "sec-fetch-site": "cross-site" }],
  ["from a sibling site", { "sec-fetch-site": "same-site" }],
  ["from nowhere", { origin: "null" }],
  ["without saying where from", {}],
  ["from the extension itself", { origin: "chrome-extension://abcdefghijklmnopabcdefghijklmnop" }],
])("a decision sent %s has no effect", async (_name, headers) => {
  const before = codes();
  const { request } = extension(server, LISTED);
  const form = { ...request, device_name: "laptop", decision: "allow" };
  const seen = await ann.post("/oauth/authorize", form, headers);
  expect([seen.status, seen.location]).toEqual([403, null]);
  expect(codes()).toBe(before);
});

test("the page cannot be framed", async () => {
  const seen = await ann.get(extension(server, LISTED).address());
  expect(seen.headers.get("x-frame-options")).toBe("DENY");
  expect(seen.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
});

test("opening the page, by GET or HEAD, decides nothing", async () => {
  const before = codes();
  const asker = extension(server, LISTED);
  const seen = await ann.get(asker.address({ decision: "allow", device_name: "laptop" }));
  expect([seen.status, seen.location]).toEqual([200, null]);
  const [name = "", value = ""] = [...ann.cookies][0] ?? [];
  const head = await fetch(server.url + asker.address({ decision: "allow" }), {
    method: "HEAD",
    headers: { cookie: `${name}=${value}` },
  });
  expect(head.status).toBe(200);
  expect(codes()).toBe(before);
});

test.each([LISTED, CHROME, FIREFOX, LOOPBACK])(
  "every answer at %s says who gives it",
  async (uri) => {
    const asker = extension(server, uri);
    for (const seen of [
      await asker.decide(ann, { password: PASSWORD }),
      await asker.decide(ann, { decision: "deny" }),
      await ann.get(asker.address({ prompt: "none" })),
      await ann.get(asker.address({ code_challenge: "" })),
    ]) {
      expect(seen.location).toStartWith(uri);
      expect(answerIn(seen)).toMatchObject({ state: asker.state, iss: server.url });
    }
  },
);

test("the answer contains only the code: no token, and no password", async () => {
  const asker = extension(server, LISTED);
  const seen = await asker.decide(ann);
  expect(answerIn(seen)).toEqual({
    from: "docket",
    code: expect.stringMatching(/^docket_code_[0-9A-Za-z]{38}$/) as never,
    state: asker.state,
    iss: server.url,
  });
  expect([seen.html, seen.headers.get("cache-control")]).toEqual(["", "no-store"]);
  const hex = ON_POSTGRES ? "upper(encode(digest, 'hex'))" : "hex(digest)";
  const kept = JSON.stringify(ask(server.directory, `SELECT *, ${hex} FROM code`));
  const code = answerIn(seen)["code"] ?? "";
  expect(kept).not.toContain(code.slice(16, -4));
  expect(kept).toContain(createHash("sha256").update(code).digest("hex").toUpperCase());
  expect(server.logged.join("\n")).not.toContain(code.slice(16, -4));
});
