import { beforeEach, expect, spyOn, test } from "bun:test";
import {
  eachInSlices,
  inTurnInSlices,
  letOthersGoOn,
  mapInSlices,
} from "../../../src/domain/base/slices.ts";

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

test("A short list is done at once", () => {
  // A busy machine may let this process wait for longer than a slice.
  using _clock = spyOn(performance, "now").mockReturnValue(0);
  expect(mapInSlices([1, 2, 3], (value) => value * 2)).toEqual([2, 4, 6]);
  expect(inTurnInSlices([1, 2, 3], () => {})).toBeUndefined();
});

test("A long list gives others a turn after some of it, and keeps its order", async () => {
  const turns = countTurns();
  const made = await mapInSlices([1, 2, 3, 4], (value) => {
    work(9);
    return value;
  });
  expect(made).toEqual([1, 2, 3, 4]);
  expect(turns()).toBeGreaterThanOrEqual(3);
});

test("Work that waits itself gives others a turn between two of its items", async () => {
  const seen: number[] = [];
  await inTurnInSlices([1, 2], async (value) => {
    await Promise.resolve();
    work(9);
    if (value === 1) setImmediate(() => seen.push(0));
    seen.push(value);
  });
  expect(seen).toEqual([1, 0, 2]);
});

test("Loops that follow one another in a turn share its slice", async () => {
  const turns = countTurns();
  expect(eachInSlices([9], work)).toBeUndefined();
  expect(turns()).toBe(0);
  const later = eachInSlices([1, 1], work);
  expect(later).toBeInstanceOf(Promise);
  await later;
  expect(eachInSlices([1, 1], work)).toBeUndefined();
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
