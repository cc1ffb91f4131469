import { beforeEach, expect, spyOn, test } from "bun:test";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { breathe, letOthersGoOn } from "../../../src/domain/base/breathe.ts";
import { testDirectory } from "../../support/server.ts";

/** Works for so many ms. */
const work = (ms: number): void => {
  const end = performance.now() + ms;
  while (performance.now() < end);
};

/** Counts the turns that others have from now on. */
const countTurns = () => {
  const state = { turns: 0, done: false };
  const turn = (): void => {
    state.turns += 1;
    if (!state.done) setImmediate(turn);
  };
  setImmediate(turn);
  return () => {
    state.done = true;
    return state.turns;
  };
};

beforeEach(() => new Promise<void>((resolve) => setImmediate(resolve)));

test("Short work gives nobody else a turn", async () => {
  // A busy machine may let this process wait for longer than a slice.
  using _clock = spyOn(performance, "now").mockReturnValue(0);
  const turns = countTurns();
  for (const _step of [1, 2, 3]) await breathe();
  expect(turns()).toBe(0);
});

test("Long work gives others a turn after each slice", async () => {
  const turns = countTurns();
  for (const ms of [9, 9, 9, 9]) {
    await breathe();
    work(ms);
  }
  expect(turns()).toBeGreaterThanOrEqual(3);
});

test("Work that follows other work in a turn shares its slice", async () => {
  const turns = countTurns();
  await breathe();
  work(9);
  expect(turns()).toBe(0);
  await breathe();
  expect(turns()).toBeGreaterThan(0);
});

test("Who lets others go on is behind requests that have arrived meanwhile", async () => {
  const sent = join(testDirectory(), "sent");
  const order: string[] = [];
  const answer = async (request: Request): Promise<Response> => {
    if (request.method === "POST") {
      await request.text();
      // This process works until the other request lies in its socket.
      while (!existsSync(sent));
      rmSync(sent);
      await letOthersGoOn();
    }
    order.push(request.method);
    return new Response();
  };
  await using server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: answer });
  // From another process, since this one works meanwhile.
  const client = Bun.spawn([process.execPath, "-e", TEN_PAIRS, `${server.port}`, sent]);
  expect(await client.exited).toBe(0);
  expect(order.slice(1)).toEqual(Array.from({ length: 10 }, () => ["GET", "POST"]).flat());
});

/** Sends a request and, while the server works on it, another one, on a connection that is open. Ten times. */
const TEN_PAIRS = `
  const [port, sent] = process.argv.slice(-2);
  const socket = require("node:net").connect(Number(port), "127.0.0.1");
  const get = (written) =>
    new Promise((resolve) => {
      socket.once("data", resolve);
      socket.write("GET / HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n", written);
    });
  await get();
  for (let pair = 0; pair < 10; pair += 1) {
    const first = fetch("http://127.0.0.1:" + port, { method: "POST", body: "a body" });
    await Bun.sleep(10);
    await Promise.all([first, get(() => require("node:fs").writeFileSync(sent, ""))]);
  }
  process.exit(0);
`;
