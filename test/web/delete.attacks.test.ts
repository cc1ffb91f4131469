import { expect, test } from "bun:test";
import { runImport } from "../../src/db/imports/run.ts";
import { readAccount } from "../../src/db/people/accounts.ts";
import { createKey, listKeys } from "../../src/db/people/api-keys.ts";
import { createSession, listSessions } from "../../src/db/people/sessions.ts";
import { MINUTE } from "../../src/domain/base/instant.ts";
import { cryptoRandom } from "../../src/domain/base/secret.ts";
import { watchIndex } from "../support/db/search.ts";
import { change, sharedServer, until, V1 } from "../support/replies.ts";
import { annWithApp, ticketIn, turnOn } from "../support/web/authenticator-app.ts";
import { newDevice } from "../support/web/authenticator.ts";
import { byName, optionsFrom } from "../support/web/passkeys.ts";
import { storedIn } from "../support/web/table.ts";
import { ownerSignedIn, PASSWORD, someoneSignedIn, visitor } from "../support/web/visitor.ts";

// Password hashes are slow, even more so while other tests run.

const server = await sharedServer({ limits: { perMinute: 1_000, perHour: 1_000 } });
/** The smallest PNG. */
const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABpfZFQAAAAABJRU5ErkJggg==";
const WISH = {
  name: "bot",
  scopes: ["read", "write"],
  restriction: null,
  expiresAt: null,
} as const;

const gone = (id: number) => until(async () => (await readAccount(server.store, id)) === null);

/** Someone who has a row in every table: a past, refused calls, kept replies, a second factor, a pairing code. */
const someoneWithEverything = async () => {
  const named = byName(server);
  const ann = await someoneSignedIn(named);
  const { id, email, uid } = ann.account;
  const now = server.clock.wall();
  const { secret: session } = await createSession(server.store, id, "laptop", cryptoRandom, now);
  const { secret: key } = await createKey(server.store, id, WISH, cryptoRandom, now);
  await server.call("POST", "/sync", {
    token: session,
    body: [
      change("sync_projects", "f", { name: "Quokka" }),
      ...Array.from({ length: 150 }, (_, at) =>
        change("sync_tasks", `t${at}`, { title: "Quokka", project_id: "f" }),
      ),
    ],
  });
  const icons = [{ host: "quokka.example", png: PIXEL }];
  expect((await server.call("POST", "/icons", { token: session, body: { icons } })).status).toBe(
    200,
  );
  const folders = { kind: "folders", folders: ["f"] } as const;
  const kept = { ...WISH, name: "kept", restriction: folders };
  const { secret: other } = await createKey(server.store, id, kept, cryptoRandom, now);
  const filed = await server.call("POST", "/inbox/tabs", {
    token: key,
    body: [{ url: "https://quokka.example/" }],
    headers: { "idempotency-key": "quokka" },
  });
  expect(filed.status).toBe(201);
  for (const token of [session, key, other]) await server.call("GET", "/tasks?q=quokka", { token });
  await server.call("POST", "/claims", { token: key, body: { task: filed.json.task.id } });
  await server.call("DELETE", "/tasks/t1", { token: key });
  await server.call("PATCH", "/tasks/t1", { token: key, body: { title: "Quokkas" } });
  server.clock.advance(MINUTE);
  const at = new Date(server.clock.wall()).toISOString();
  const deleted = { updated_at: at, deleted_at: at };
  await server.call("POST", "/sync", {
    token: session,
    body: Array.from({ length: 150 }, (_, n) => change("sync_tasks", `t${n}`, {}, deleted)),
  });
  const tab = { url: "https://quokka.example/", title: "Quokka", pinned: false, group: null };
  const task = {
    folder: "Quokka",
    title: "Quokka",
    status: "todo",
    due: null,
    colour: null,
    tags: [],
    groups: [],
    tabs: [{ ...tab, addedAt: null }],
    notes: [],
    key: "quokka",
  };
  const file = { name: "quokka", format: "quokka", digest: "quokka", leftOut: [], tasks: [task] };
  await runImport(server.store, id, file, server.clock.wall);
  const options = await optionsFrom(ann, "/account/passkeys/options");
  await ann.send("/account/passkeys", {
    credential: newDevice(named.url).make(options),
    name: "quokka",
  });
  const { codes } = await turnOn(server, ann);
  expect((await ann.post("/account/devices/pair")).status).toBe(200);
  const [code = ""] = codes;
  const browser = visitor(server);
  const { html } = await browser.post("/sign-in", { email, password: PASSWORD });
  expect((await browser.post("/sign-in/code", { ticket: ticketIn(html), code })).status).toBe(303);
  await visitor(server).post("/sign-in", { email, password: "wrong" });
  return { ann, id, email, uid, session, key };
};

test("Nothing of a deleted account remains in any table, or in a file of its own", async () => {
  const bob = await someoneSignedIn(server, "bob");
  const before = storedIn(server);
  const { ann, id, email, uid } = await someoneWithEverything();
  const names = [
    ...(await listKeys(server.store, id)).map((one) => one.id),
    ...(await listSessions(server.store, id)).map((one) => one.id),
  ];
  const full = storedIn(server);
  const grown = Object.keys(full).filter((name) => full[name]?.length !== before[name]?.length);
  const owned = Object.keys(full).filter(
    (name) => !["server", "docket", "identity", "redirect", "__drizzle_migrations"].includes(name),
  );
  expect(grown.toSorted()).toEqual(owned.toSorted());
  using index = watchIndex(server.store.directory);
  expect((await ann.post("/account/delete", { confirmation: email })).status).toBe(200);
  await gone(id);
  const { failure: failures = [], ...after } = storedIn(server);
  const { failure: _failures, ...first } = before;
  expect(after).toEqual(first);
  const text = JSON.stringify([after, failures]);
  for (const trace of [email, uid, "uokka", ...names]) expect(text).not.toContain(trace);
  await until(index.isGone);
  expect((await bob.get("/account")).status).toBe(200);
});

test("Who takes the address afterwards has nothing of the old account, and none of its credentials", async () => {
  const { ann, id, email, session, key } = await someoneWithEverything();
  const cookies = new Map(ann.cookies);
  await ann.post("/account/delete", { confirmation: email });
  await gone(id);
  const heir = await ownerSignedIn(server, "heir");
  expect((await heir.post("/account/email", { email })).status).toBe(303);
  expect(heir.account.id).toBeGreaterThan(id);
  for (const token of [session, key]) {
    const again = await server.call("POST", "/inbox/tabs", {
      token,
      body: [{ url: "https://quokka.example/" }],
      headers: { "idempotency-key": "quokka" },
    });
    expect([again.status, again.headers.get("idempotency-replayed")]).toEqual([401, null]);
    expect((await server.call("GET", "/sync", { token })).status).toBe(401);
  }
  const old = visitor(server);
  for (const [name, value] of cookies) old.cookies.set(name, value);
  expect((await old.get("/account")).location).toContain("/sign-in");
  for (const page of [
    "/account",
    "/account/activity",
    "/account/keys",
    "/account/devices",
    "/account/deleted",
  ])
    expect((await heir.get(page)).text).not.toMatch(/quokka/i);
  const now = server.clock.wall();
  const token = (await createKey(server.store, heir.account.id, WISH, cryptoRandom, now)).secret;
  expect((await server.call("GET", "/tasks?q=quokka", { token })).json.tasks).toEqual([]);
  // Neither a wait for the old account's failures, nor its second factor.
  expect((await visitor(server).post("/sign-in", { email, password: PASSWORD })).status).toBe(303);
});

test("Neither a password alone nor another's address deletes an account with a second factor", async () => {
  const { ann, app, codes } = await annWithApp(server);
  const { id, email } = ann.account;
  const used = app.at(0);
  server.clock.advance(11 * MINUTE);
  const forms: readonly Readonly<Record<string, string>>[] = [
    { confirmation: email },
    { confirmation: email, password: PASSWORD },
    { confirmation: email, password: PASSWORD, code: used },
    { confirmation: email, password: "wrong", code: codes[0] ?? "" },
    { confirmation: `x${email}`, password: PASSWORD, code: codes[0] ?? "" },
    { password: PASSWORD, code: codes[0] ?? "" },
  ];
  for (const form of forms) expect((await ann.post("/account/delete", form)).status).toBe(422);
  expect((await readAccount(server.store, id))?.email).toBe(email);
  const right = { confirmation: email, password: PASSWORD, code: codes[0] ?? "" };
  expect((await ann.post("/account/delete", right)).status).toBe(200);
});

const noise = () => Buffer.from(crypto.getRandomValues(new Uint8Array(400_000))).toString("base64");

test("A pull that runs breaks off", async () => {
  const ann = await someoneSignedIn(server);
  const { id, email } = ann.account;
  const now = server.clock.wall();
  const { secret: token } = await createSession(server.store, id, "laptop", cryptoRandom, now);
  for (const part of [0, 1, 2, 3]) {
    const body = Array.from({ length: 20 }, (_, n) =>
      change("sync_tasks", `t${part}-${n}`, { fill: noise() }),
    );
    await server.call("POST", "/sync", { token, body });
  }
  const response = await fetch(`${server.url}${V1}/sync`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  await reader.read();
  await ann.post("/account/delete", { confirmation: email });
  let after = 0;
  const readOn = async () => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      after += value.length;
    }
  };
  expect(readOn()).rejects.toThrow();
  await readOn().catch(() => {});
  expect(after).toBeLessThan(12_000_000);
  await gone(id);
});

test("Two tabs that delete it at once both see that it is deleted, once in the log", async () => {
  const ann = await someoneSignedIn(server);
  const { id, email } = ann.account;
  const now = server.clock.wall();
  const { secret: token } = await createSession(server.store, id, "laptop", cryptoRandom, now);
  expect((await server.call("GET", "/tasks?q=quokka", { token })).status).toBe(200);
  using index = watchIndex(server.store.directory);
  const seen = await Promise.all(
    [1, 2, 3].map(() => ann.post("/account/delete", { confirmation: email })),
  );
  for (const { status, location } of seen) expect([200, 303]).toContain(location ? 303 : status);
  await gone(id);
  const logged = server.logged.map((line) => JSON.parse(line));
  expect(
    logged.filter(
      ({ message, account }) => message === "an account was deleted" && account === email,
    ),
  ).toHaveLength(1);
  await until(index.isGone);
});
