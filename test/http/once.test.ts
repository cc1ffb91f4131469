import { describe, expect, test } from "bun:test";
import { ROUTES } from "../../src/http/routes.ts";
import { endpointName } from "../../src/server/call.ts";
import { DAY, HOUR } from "../../src/domain/base/instant.ts";
import { EXPECTED } from "../support/access.ts";
import { change, expectRefusal, sharedServer, titlesOf, V1 } from "../support/replies.ts";
import { isReplayed, shown, someoneWriting, underKey, WRITERS, WRITES } from "../support/writes.ts";

const server = await sharedServer();
const { call, clock } = server;

const TASKS = `POST ${V1}/tasks`;
const ONE = { headers: underKey('"one"') };
const MALFORMED =
  'Idempotency-Key must be 1 to 255 printable ASCII characters in quotes, such as "8e03978e-40d5-43e8-bc93".';
const ANOTHER_BODY =
  "This Idempotency-Key was already used with a different body. Send the same body again, or use a new key.";
const RUNNING =
  "The first request with this Idempotency-Key is still in progress. Send it again in a second.";

test("Every POST and PATCH that an API key may send accepts an Idempotency-Key", () => {
  const changing = ROUTES.filter(
    ({ method, access }) => method !== "GET" && access.callers === "session or key",
  );
  expect(changing.map(({ present }) => present)).not.toContain(null);
  const names = changing.map(({ method, path }) => `${method} ${endpointName(path)}`);
  expect([...new Set(WRITES.map(([name]) => name))]).toEqual(names);
});

describe.each(WRITES)("%s, by %s", (route, writer) => {
  test("the same request again gets the same reply and does nothing", async () => {
    const { write, pulled } = await someoneWriting(server, route);
    const first = await write(route, writer, ONE);
    expect([first.status, isReplayed(first)]).toEqual([EXPECTED[route]?.ok ?? 0, false]);
    // What changed meanwhile stays: a stored reply is not carried out again.
    clock.advance(1_000);
    await write(`PATCH ${V1}/tasks/{id}`, "a session", { body: { title: "meanwhile" } });
    const before = await pulled();
    for (let again = 0; again < 2; again++) {
      const answer = await write(route, writer, ONE);
      expect(isReplayed(answer)).toBe(true);
      expect(shown(answer)).toEqual(shown(first));
    }
    expect(await pulled()).toEqual(before);
  });

  test("another body with the same key is refused, and the first reply stays", async () => {
    const { write, pulled } = await someoneWriting(server, route);
    const first = await write(route, writer, ONE);
    const before = await pulled();
    const body = ` ${JSON.stringify(EXPECTED[route]?.body)}`;
    expectRefusal(await write(route, writer, { ...ONE, body }), 422, ANOTHER_BODY);
    expectRefusal(await write(route, writer, { ...ONE, body: "{" }), 422, ANOTHER_BODY);
    expect(shown(await write(route, writer, ONE))).toEqual(shown(first));
    expect(await pulled()).toEqual(before);
  });

  test("a refused body is refused again, whether it was read or not", async () => {
    const { write, pulled } = await someoneWriting(server, route);
    const before = await pulled();
    const bodies = ["{", "", '"\\ud800"', "null", "5", `[${",1".repeat(100_001).slice(1)}]`];
    for (const [at, body] of bodies.entries()) {
      const sent = { headers: underKey(`refused-${at}`), body };
      const first = await write(route, writer, sent);
      expect(first.status).toBeOneOf([400, 413, 422]);
      const again = await write(route, writer, sent);
      expect([isReplayed(first), isReplayed(again)]).toEqual([false, true]);
      expect(shown(again)).toEqual(shown(first));
    }
    expect(await pulled()).toEqual(before);
  });

  test("twenty requests at once are carried out once", async () => {
    const { write } = await someoneWriting(server, route);
    const answers = await Promise.all(Array.from({ length: 20 }, () => write(route, writer, ONE)));
    const ok = EXPECTED[route]?.ok ?? 0;
    const done = answers.filter(({ status }) => status === ok);
    expect(done.filter((answer) => !isReplayed(answer))).toHaveLength(1);
    expect(new Set(done.map(({ text }) => text)).size).toBe(1);
    for (const answer of answers.filter(({ status }) => status !== ok)) {
      expectRefusal(answer, 409, RUNNING);
      expect(answer.headers.get("retry-after")).toBe("1");
    }
    expect(shown(await write(route, writer, ONE)).text).toBe(done[0]?.text ?? "");
  });
});

test("Twenty equal requests at once make exactly one task", async () => {
  for (const writer of WRITERS) {
    const { write, tokens } = await someoneWriting(server);
    const sent = { ...ONE, body: { title: "once" } };
    await Promise.all(Array.from({ length: 20 }, () => write(TASKS, writer, sent)));
    const list = await call("GET", "/tasks", { token: tokens["a session"] });
    expect(titlesOf(list).filter((title) => title === "once")).toHaveLength(1);
  }
});

test("Another body at the same time is refused, whether or not the first request is done", async () => {
  const { write, tokens } = await someoneWriting(server);
  const bodies = ["a", "b", "c", "d"].map((title) => ({ title }));
  const answers = await Promise.all(
    bodies.map((body) => write(TASKS, "a session", { ...ONE, body })),
  );
  const refused = answers.filter(({ status }) => status !== 201);
  expect(refused).toHaveLength(3);
  for (const answer of refused) expectRefusal(answer, 422, ANOTHER_BODY);
  expect(titlesOf(await call("GET", "/tasks", { token: tokens["a session"] }))).toHaveLength(3);
});

test("A key belongs to one caller, one method and one path", async () => {
  const { ann, write } = await someoneWriting(server);
  const { write: writeBob } = await someoneWriting(server);
  const sent = { ...ONE, body: { title: "t" } };
  const answers = [
    await write(TASKS, "a session", sent),
    await write(TASKS, "a key", sent),
    await write(TASKS, "a key", { ...sent, token: await ann.key() }),
    await writeBob(TASKS, "a session", sent),
    await write(`POST ${V1}/projects`, "a session", sent),
    await write(`PATCH ${V1}/tasks/{id}`, "a session", sent),
    await write(TASKS, "a session", { ...sent, headers: underKey('"another"') }),
  ];
  expect(answers.map((answer) => [answer.status < 300, isReplayed(answer)])).toEqual(
    answers.map(() => [true, false]),
  );
});

test("A quoted key equals a bare one, and a trailing slash or a query makes no difference to the path", async () => {
  const { write } = await someoneWriting(server);
  const first = await write(TASKS, "a session", ONE);
  const forms = [
    write(TASKS, "a session", { headers: underKey("one") }),
    write(`${TASKS}/`, "a session", { ...ONE, body: EXPECTED[TASKS]?.body }),
    write(TASKS, "a session", { ...ONE, query: "?dry_run=false" }),
  ];
  for (const answer of await Promise.all(forms)) expect(shown(answer)).toEqual(shown(first));
});

test.each([[""], ['""'], ["a b"], ['"a", "b"'], [`"${"k".repeat(256)}"`], ["k\u00fc"], ['"']])(
  "The key %j is malformed: the request is refused and not carried out",
  async (key) => {
    const { write, pulled } = await someoneWriting(server);
    const before = await pulled();
    for (const writer of WRITERS) {
      const answer = await write(TASKS, writer, { headers: underKey(key) });
      expectRefusal(answer, 400, MALFORMED);
    }
    expect(await pulled()).toEqual(before);
  },
);

test("A reply is stored for 24 hours; after that the same request is a new one", async () => {
  const { write } = await someoneWriting(server);
  const first = await write(TASKS, "a session", ONE);
  clock.advance(DAY - 1);
  expect(shown(await write(TASKS, "a session", ONE))).toEqual(shown(first));
  clock.advance(1);
  const later = await write(TASKS, "a session", ONE);
  expect([later.status, isReplayed(later)]).toEqual([201, false]);
  expect(later.json.id).not.toBe(first.json.id);
  clock.advance(HOUR);
  expect(shown(await write(TASKS, "a session", ONE))).toEqual(shown(later));
});

test("Reads and pushes ignore a key", async () => {
  const { ann, write, pulled } = await someoneWriting(server);
  const token = ann.session;
  const headers = underKey('""');
  expect((await call("GET", "/tasks", { token, headers })).status).toBe(200);
  for (const id of ["a", "b"]) {
    const body = [change("sync_tasks", id, { title: id })];
    const answer = await call("POST", "/sync", { token, headers, body });
    expect([answer.status, answer.json.applied]).toEqual([200, 1]);
  }
  expect((await pulled()) as object).toMatchObject({ sync_tasks: { length: 4 } });
  expect((await write(TASKS, "a session", ONE)).status).toBe(201);
});
