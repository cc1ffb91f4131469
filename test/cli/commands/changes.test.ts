import { describe, expect, test } from "bun:test";
import { DOCKET } from "../../support/docket.ts";
import { plainEnvironment, run } from "../../support/program.ts";
import { newcomer, sharedServer } from "../../support/replies.ts";

const server = await sharedServer({ limits: { perMinute: 10_000, perHour: 10_000 } });
const ann = await newcomer(server);
const key = await ann.key();
const { session } = ann;

const docket = (words: readonly string[], token = key) => {
  const env = plainEnvironment({ DOCKET_URL: server.url, DOCKET_API_KEY: token });
  return run(DOCKET, ["changes", ...words], { env });
};

const add = (title: string) => server.call("POST", "/tasks", { token: session, body: { title } });

const now = async (): Promise<string> =>
  (await server.call("GET", "/changes", { token: key })).json.server_time;

describe("docket changes", () => {
  test("ends with 0 once there is news, which it prints, and says how to go on", async () => {
    const since = await now();
    const waiting = docket(["--since", since, "--wait", "1m"]);
    await Bun.sleep(1_000);
    await add("Plan\u202E the trip");
    const { code, out, err } = await waiting;
    expect(code).toBe(0);
    expect(out).toMatch(/^\S+ {2}task {2}open {2}\S+ {2}person {2}Plan\uFFFD the trip\n$/);
    const [, next = ""] = /^To go on from here: --since (\S+)\n$/.exec(err) ?? [];
    expect(await docket(["--since", next])).toMatchObject({ code: 3, out: "" });
  });

  test("without --wait, tells what has changed since, as JSON, or ends with 3", async () => {
    const since = await now();
    expect(await docket(["--since", since])).toMatchObject({ code: 3, out: "" });
    await add("First");
    await add("Second");
    const { code, out } = await docket(["--since", since, "--json"]);
    const told = out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { task: object });
    expect([code, told.map(({ task }) => task)]).toMatchObject([
      0,
      [{ title: "First" }, { title: "Second" }],
    ]);
  });

  test("begins now if no time is given, and ends with 3 when its time is over", async () => {
    await add("Before");
    expect(await docket(["--wait", "0m"])).toMatchObject({ code: 2 });
    expect(await docket([])).toMatchObject({ code: 3, out: "" });
  });

  test.each([
    [["--wait", "soon"], "--wait must be a length of time of at most a day, such as 30m or 1h."],
    [["--wait", "25h"], "--wait must be a length of time of at most a day, such as 30m or 1h."],
    [["--since", "now"], "--since must be a server_time, such as 2026-01-31T09:30:00.000Z."],
  ])("%j is refused", async (words, says) => {
    const { code, err } = await docket(words);
    expect([code, err]).toEqual([2, expect.stringContaining(says)]);
  });

  test("a key that does not work is told so, and is never printed", async () => {
    const wrong = `${key.slice(0, -1)}${key.endsWith("a") ? "b" : "a"}`;
    const { code, err } = await docket([], wrong);
    expect([code, err.includes(wrong)]).toEqual([2, false]);
    expect(await docket([], session)).toMatchObject({ code: 2 });
  });
});

test("docket claim list shows who works on what, and docket claim end ends that", async () => {
  // The command has a clock of its own.
  server.clock.advance(Date.now() - server.clock.wall());
  const claim = (...words: readonly string[]) =>
    run(DOCKET, ["claim", ...words, "--data", server.directory]);
  expect((await claim("list")).err).toContain("No API key works on a task now.");
  const body = { title: "Compare hotels" };
  const { json } = await server.call("POST", "/tasks", { token: key, body });
  await server.call("POST", "/claims", { token: key, body: { task: json.id, for: "24h" } });
  const rows = JSON.parse((await claim("list", "--json")).out) as object[];
  expect(rows).toMatchObject([{ task: json.id, title: "Compare hotels", key: "bot" }]);
  const ended = await claim("end", json.id as string);
  expect([ended.code, ended.err]).toEqual([0, 'The key "bot" no longer works on this task.\n']);
  expect(await claim("end", json.id as string)).toMatchObject({ code: 1 });
  const left = await server.call("GET", "/claims", { token: key });
  expect(left.json.claims).toEqual([]);
});
