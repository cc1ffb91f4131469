import { beforeEach, expect, spyOn, test } from "bun:test";
import { breathe, letOthersGoOn } from "../../../src/domain/base/breathe.ts";

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

/** Works for a while before and after it lets others go on. */
const answer = async (request: Request): Promise<Response> => {
  if (request.url.endsWith("/first")) {
    await request.text();
    work(30);
    await letOthersGoOn();
    work(30);
  }
  return new Response();
};

test("Who lets others go on is behind requests that have arrived meanwhile", async () => {
  await using server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: answer });
  // From another process, since this one works meanwhile.
  const client = Bun.spawn([process.execPath, "-e", TEN_PAIRS, `${server.url}`], {
    stdout: "pipe",
  });
  expect(await new Response(client.stdout).text()).toBe("second first\n".repeat(10));
});

/** Sends a request and, while the server works on it, another one. Prints which was answered first, ten times. */
const TEN_PAIRS = `
  const ask = async (name, options) => {
    await (await fetch(process.argv.at(-1) + name, options)).text();
    answered.push(name);
  };
  let answered = [];
  await ask("second");
  for (let pair = 0; pair < 10; pair += 1) {
    answered = [];
    const first = ask("first", { method: "POST", body: "a body" });
    await Bun.sleep(10);
    await Promise.all([first, ask("second")]);
    console.log(answered.join(" "));
  }
`;
