import type { Scope } from "../../src/domain/people/api-key.ts";
import { expect, test } from "bun:test";
import type { Plan } from "../../src/domain/people/account.ts";
import { setPlan } from "../../src/db/people/accounts.ts";
import { createKey } from "../../src/db/people/api-keys.ts";
import { DAY, formatInstant, HOUR, type Instant } from "../../src/domain/base/instant.ts";
import { cryptoRandom } from "../../src/domain/base/secret.ts";
import type { Person } from "../support/server.ts";
import { AT_NOON, expectRefusal, newcomer, SAYS, sharedServer } from "../support/replies.ts";

const server = await sharedServer();
const { call, clock } = server;

const plan = (
  person: Person,
  name: Plan,
  grant: { readonly until?: Instant; readonly source?: string } = {},
) => {
  const { until = null, source = null } = grant;
  const whole = { plan: name, until, source };
  return setPlan(server.store, person.account.email, whole, clock.wall());
};

const inMs = (ms: number): string => formatInstant(clock.wall() + ms);

test("A session says whose it is, what it may do and when it ends", async () => {
  const ann = await newcomer(server);
  const answer = await call("GET", "/me", { token: ann.session });
  expect(answer.status).toBe(200);
  expect(answer.json).toEqual({
    id: ann.account.uid,
    email: ann.account.email,
    plan: "pro",
    credential: "session",
    scopes: ["read", "write"],
    restriction: null,
    review: false,
    expires_at: inMs(30 * DAY),
  });
});

test.each<[readonly Scope[], number | null]>([
  [["read"], null],
  [["write"], 90 * DAY],
  [["read", "write"], HOUR],
])("A key with the scopes %j says so, and when it expires", async (scopes, lifetime) => {
  const ann = await newcomer(server);
  const expiresAt = lifetime && clock.wall() + lifetime;
  const keyFields = { name: "bot", scopes, restriction: null, expiresAt };
  const made = await createKey(server.store, ann.account.id, keyFields, cryptoRandom, clock.wall());
  const answer = await call("GET", "/me", { token: made.secret });
  expect(answer.status).toBe(200);
  expect(answer.json).toEqual({
    id: ann.account.uid,
    email: ann.account.email,
    plan: "pro",
    credential: "api_key",
    scopes,
    restriction: null,
    review: false,
    expires_at: lifetime && inMs(lifetime),
  });
});

const entitled = (fields: Record<string, unknown>) => ({
  pro: true,
  plan: "pro",
  source: "self_hosted",
  expires_at: inMs(30 * DAY),
  recheck_after: inMs(DAY),
  ...fields,
});

test.each<[string, (ann: Person) => Promise<unknown>, () => Record<string, unknown>]>([
  ["an account of a self-hosted server is Pro for 30 days from now", async () => {}, () => ({})],
  [
    "Pro with a distant end",
    (ann) => plan(ann, "pro", { until: clock.wall() + 365 * DAY, source: "paddle" }),
    () => ({ source: "paddle" }),
  ],
  [
    "Pro that ends soon: no client may work offline for longer",
    (ann) => plan(ann, "pro", { until: clock.wall() + HOUR }),
    () => ({ expires_at: inMs(HOUR), recheck_after: inMs(HOUR) }),
  ],
  [
    "Pro that has expired",
    (ann) => plan(ann, "pro", { until: clock.wall() }),
    () => ({ pro: false, plan: "free", expires_at: inMs(0) }),
  ],
  [
    "Pro that was taken away",
    (ann) => plan(ann, "free"),
    () => ({ pro: false, plan: "free", expires_at: inMs(0) }),
  ],
  [
    "Pro that was granted again",
    async (ann) => {
      await plan(ann, "free");
      await plan(ann, "pro");
    },
    () => ({}),
  ],
])("The entitlement is right: %s", async (_name, grant, fields) => {
  const ann = await newcomer(server);
  const key = await ann.key(["write"]);
  await grant(ann);
  for (const token of [ann.session, key]) {
    const answer = await call("GET", "/entitlement", { token });
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual(entitled(fields()));
    const me = await call("GET", "/me", { token });
    expect([me.status, me.json.plan]).toEqual([200, answer.json.plan]);
  }
});

test("Pro that ended long ago gives its end, and an account that never had Pro gives its creation time", async () => {
  const ann = await newcomer(server);
  await plan(ann, "pro", { until: clock.wall() + HOUR });
  const ended = inMs(HOUR);
  const made = formatInstant(ann.account.createdAt);
  clock.advance(10 * HOUR);
  const answer = await call("GET", "/entitlement", { token: ann.session });
  expect(answer.json).toEqual(
    entitled({ pro: false, plan: "free", expires_at: ended, recheck_after: inMs(DAY) }),
  );
  expect(made < ended).toBe(true);
  expect(made >= AT_NOON).toBe(true);
});

test("A key of a free account may only ask who it is; a session is never limited", async () => {
  const ann = await newcomer(server);
  const key = await ann.key();
  await plan(ann, "free");
  const asks: readonly [string, string, unknown][] = [
    ["GET", "/tasks", undefined],
    ["POST", "/tasks", { title: "t" }],
    ["GET", "/tasks/none", undefined],
    ["PATCH", "/tasks/none", {}],
    ["POST", "/tasks/none/tabs", [{ url: "https://a.example/" }]],
    ["POST", "/tasks/none/notes", { text: "n" }],
    ["POST", "/inbox/tabs", [{ url: "https://a.example/" }]],
    ["GET", "/projects", undefined],
    ["POST", "/projects", { name: "n" }],
  ];
  for (const [method, path, body] of asks) {
    const answer = await call(method, path, { token: key, body });
    expectRefusal(answer, 403, SAYS.free);
    const bySession = await call(method, path, { token: ann.session, body });
    expect(bySession.status).toBe(path.includes("none") ? 404 : method === "GET" ? 200 : 201);
  }
  expect((await call("GET", "/sync", { token: ann.session })).json.changes.sync_tasks).toHaveLength(
    2,
  );
  await plan(ann, "pro");
  expect((await call("GET", "/tasks", { token: key })).status).toBe(200);
});
