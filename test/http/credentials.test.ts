import { expect, test } from "bun:test";
import { disableAccount, enableAccount } from "../../src/db/people/accounts.ts";
import { createKey, listKeys, revokeKey } from "../../src/db/people/api-keys.ts";
import { listSessions, revokeSession } from "../../src/db/people/sessions.ts";
import { DAY, HOUR } from "../../src/domain/base/instant.ts";
import { cryptoRandom, mintSecret } from "../../src/domain/base/secret.ts";
import type { Person } from "../support/server.ts";
import { expectRefusal, newcomer, SAYS, sharedServer } from "../support/replies.ts";

const server = await sharedServer();
const { call, clock, store } = server;

const me = async (token: string): Promise<number> => (await call("GET", "/me", { token })).status;
const expectEnded = async (token: string): Promise<void> => {
  const answer = await call("GET", "/me", { token });
  expectRefusal(answer, 401, SAYS.badCredential);
  expect(answer.headers.get("www-authenticate")).toBe(
    'Bearer realm="docket", error="invalid_token"',
  );
};

const ann = await newcomer(server);
const key = await ann.key();
const [start, end] = [key.slice(0, -1), key.slice(-1)];

test.each<[string, string]>([
  ["a wrong checksum", start + (end === "0" ? "1" : "0")],
  ["a key that is too short", start],
  ["a key that is too long", `${key}0`],
  ["another kind with the same random part", key.replace("_live_", "_sess_")],
  ["a key that was never made", mintSecret("live", cryptoRandom)],
  ["a session that was never made", mintSecret("sess", cryptoRandom)],
  ["another prefix", key.replace("docket_", "ticket_")],
  ["another case", key.toUpperCase()],
  ["4,097 characters", "x".repeat(4_097)],
  ["15,000 characters", "x".repeat(15_000)],
  ["two keys with a comma", `${key}, ${key}`],
  ["a key and a comma", `${key},`],
  ["a key and a word", `${key} x`],
  ["a quoted key", `"${key}"`],
  ["SQL", "' OR 1=1 --"],
  ["a digest", new Bun.CryptoHasher("sha256").update(key).digest("hex")],
])("%s is not a credential", async (_name, token) => {
  await expectEnded(token);
});

test.each<[string, string]>([
  ["Basic", `Basic ${btoa(`ann:${key}`)}`],
  ["no scheme", key],
  ["Token", `Token ${key}`],
  ["Bearer with a colon", `Bearer: ${key}`],
  ["Bearer and nothing", "Bearer"],
  ["Bearer stuck to the key", `Bearer${key}`],
  ["something before it", `x Bearer ${key}`],
])("The scheme must be Bearer: %s", async (_name, authorization) => {
  const answer = await call("GET", "/me", { headers: { authorization } });
  expectRefusal(answer, 401, SAYS.badCredential);
});

test.each([["Bearer"], ["bearer"], ["BEARER"], ["bEaReR"]])(
  "%s is accepted as the scheme",
  async (scheme) => {
    for (const space of [" ", "  ", "\t"]) {
      const headers = { authorization: `${scheme}${space}${key}` };
      expect((await call("GET", "/me", { headers })).status).toBe(200);
    }
  },
);

test("Two Authorization headers identify nobody", async () => {
  const headers: [string, string][] = [
    ["authorization", `Bearer ${key}`],
    ["authorization", `Bearer ${ann.session}`],
  ];
  const response = await fetch(`${server.url}/api/public/v1/me`, { headers });
  expect([response.status, await response.json()]).toEqual([401, { error: SAYS.badCredential }]);
});

test("A key is read from the Authorization header only", async () => {
  for (const name of [
    "access_token",
    "token",
    "key",
    "bearer",
    "authorization",
    "%ED%A0%80",
    "%EF%BF%BD",
  ])
    expectRefusal(await call("GET", `/me?${name}=${key}`), 401, SAYS.credential);
  const headers = { cookie: `token=${key}; access_token=${key}`, "x-api-key": key };
  expectRefusal(await call("GET", "/me", { headers }), 401, SAYS.credential);
  for (const name of ["access_token", "\ud800"]) {
    const body = `{"title":"t",${JSON.stringify(name)}:"${key}"}`;
    expectRefusal(await call("POST", "/tasks", { body }), 401, SAYS.credential);
  }
});

const sent = (token: string, authorization?: string) =>
  call("GET", "/me", {
    headers: { "docket-session": token, ...(authorization ? { authorization } : {}) },
  });

test("The web app's header takes a session alone, and comes before what a proxy puts into Authorization", async () => {
  expect((await sent(ann.session)).status).toBe(200);
  expect((await sent(ann.session, `Basic ${btoa("me:pw")}`)).status).toBe(200);
  expect((await sent(ann.session, `Bearer ${btoa("{}")}`)).status).toBe(200);
  expectRefusal(await sent(key), 401, SAYS.badCredential);
  expectRefusal(await sent(mintSecret("sess", cryptoRandom)), 401, SAYS.badCredential);
  expectRefusal(await sent(`Bearer ${ann.session}`), 401, SAYS.badCredential);
});

test("No page of another origin may send the web app's header", async () => {
  const { headers } = await call("OPTIONS", "/me", {
    headers: { origin: "https://evil.example", "access-control-request-headers": "docket-session" },
  });
  expect(headers.get("access-control-allow-headers")).not.toMatch(/docket-session/i);
});

test("Guessing keys locks nobody out", async () => {
  const guesses = Array.from({ length: 300 }, () => mintSecret("live", cryptoRandom));
  const answers = await Promise.all(guesses.map(me));
  expect(new Set(answers)).toEqual(new Set([401]));
  expect(await me(ann.session)).toBe(200);
});

const keyIds = async ({ account }: Person) =>
  (await listKeys(store, account.id)).map(({ id }) => id);

test("A key that another process revokes is refused at the very next call", async () => {
  const bob = await newcomer(server, "bob");
  const [first, second] = [await bob.key(), await bob.key()];
  expect([await me(first), await me(second)]).toEqual([200, 200]);
  const [id = ""] = await keyIds(bob);
  await revokeKey(store, null, id, clock.wall());
  await expectEnded(first);
  expect([await me(second), await me(bob.session)]).toEqual([200, 200]);
});

test("When a key is revoked during many calls, no call that starts later succeeds", async () => {
  const bob = await newcomer(server, "bob");
  const token = await bob.key();
  const early = Array.from({ length: 30 }, () => me(token));
  const [id = ""] = await keyIds(bob);
  await revokeKey(store, null, id, clock.wall());
  const late = Array.from({ length: 30 }, () => me(token));
  expect(new Set(await Promise.all(late))).toEqual(new Set([401]));
  for (const status of await Promise.all(early)) expect(status).toBeOneOf([200, 401]);
});

test("A session that another process revokes is refused at the very next call", async () => {
  const bob = await newcomer(server, "bob");
  const [found] = await listSessions(store, bob.account.id);
  expect(await me(bob.session)).toBe(200);
  await revokeSession(store, null, found?.id ?? "", clock.wall());
  await expectEnded(bob.session);
});

test("Every credential of a disabled account is refused until it is enabled again", async () => {
  const bob = await newcomer(server, "bob");
  const token = await bob.key();
  await disableAccount(store, bob.account.email, clock.wall());
  for (const credential of [bob.session, token]) {
    await expectEnded(credential);
    const pull = await call("GET", "/sync", { token: credential });
    expectRefusal(pull, 401, SAYS.badCredential);
  }
  await enableAccount(store, bob.account.email);
  expect([await me(bob.session), await me(token)]).toEqual([200, 200]);
});

test("A key stops working when it expires, to the millisecond", async () => {
  const bob = await newcomer(server, "bob");
  const keyFields = {
    name: "short",
    scopes: ["read"] as const,
    restriction: null,
    review: false,
    expiresAt: clock.wall() + HOUR,
  };
  const { secret } = await createKey(store, bob.account.id, keyFields, cryptoRandom, clock.wall());
  clock.advance(HOUR - 1);
  expect(await me(secret)).toBe(200);
  clock.advance(1);
  await expectEnded(secret);
});

test("A session ends after 30 days without use, and each use starts them again", async () => {
  const bob = await newcomer(server, "bob");
  const carol = await newcomer(server, "carol");
  clock.advance(30 * DAY - 1);
  expect(await me(bob.session)).toBe(200);
  clock.advance(1);
  await expectEnded(carol.session);
  clock.advance(30 * DAY - 2);
  expect(await me(bob.session)).toBe(200);
  clock.advance(30 * DAY);
  await expectEnded(bob.session);
});

test("A session ends after 180 days, however much it was used", async () => {
  const bob = await newcomer(server, "bob");
  const made = clock.wall();
  for (let day = 0; day < 179; day += 29) {
    // What it writes is stored after the note that the session was used.
    const body = { title: "t" };
    expect((await call("POST", "/tasks", { token: bob.session, body })).status).toBe(201);
    clock.advance(29 * DAY);
  }
  clock.advance(made + 180 * DAY - 1 - clock.wall());
  const last = await call("GET", "/me", { token: bob.session });
  expect([last.status, last.json.expires_at]).toEqual([
    200,
    new Date(clock.wall() + 1).toISOString(),
  ]);
  clock.advance(1);
  await expectEnded(bob.session);
});
