import { expect, test } from "bun:test";
import fc from "fast-check";
import { parseJson, parseLongJson, readBody } from "../../src/server/checks/body.ts";
import { Refusal } from "../../src/domain/base/refusal.ts";
import { cases } from "../support/random.ts";

const RULES = { rules: "sync", maxBody: 64 * 1024 * 1024, tooLarge: "" } as const;
/** Spaces make any text long. */
const LONG = " ".repeat(256 * 1024);

const outcome = async (work: () => Promise<unknown>): Promise<unknown> => {
  try {
    return { value: await work() };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { reason: error.reason, message: error.message };
  }
};

/** Checks that a text is parsed in slices as it is parsed at once. */
const expectSame = async (text: string): Promise<void> => {
  const bytes = new TextEncoder().encode(text);
  const [long, whole] = [
    await outcome(() => parseLongJson(bytes, RULES)),
    await outcome(async () => parseJson(bytes, RULES)),
  ];
  expect(long).toEqual(whole);
};

test.each([
  "[]",
  "[1]",
  "[1,]",
  "[,1]",
  "[1,,2]",
  "[1 2]",
  "[1]]",
  "[1}",
  "[[1}]",
  '["a]","b,c","\\"]"]',
  '["\\\\"]',
  '["',
  "[",
  "{}",
  '{"a":[1]}',
  "null",
  "",
  "[1] x",
  "[1] []",
  "\uFEFF[1]",
  "[\uFEFF1]",
  '["\uFEFF"]',
  "[\u00A01]",
  `[${"[".repeat(1_001)}${"]".repeat(1_001)}]`,
  `[${"0,".repeat(2_000_000)}0]`,
])("A long body is parsed in slices as it would be at once: %#", async (text) => {
  await expectSame(text.startsWith("\uFEFF") ? text + LONG : LONG + text);
  await expectSame(text + LONG);
  // The list is cut into parts at the commas after these spaces.
  if (text.length < 100) await expectSame(LONG + text.replaceAll(",", `${" ".repeat(70_000)},`));
});

test("Any list is parsed in slices as it would be at once", async () => {
  const piece = fc.constantFrom("[", "]", "{", "}", ",", '"', "\\", ":", "1", "a", " ", "é");
  const text = fc.oneof(
    fc.json(),
    fc.array(fc.jsonValue()).map((values) => JSON.stringify(values)),
    fc.array(piece).map((pieces) => `[${pieces.join("")}]`),
  );
  const property = fc.asyncProperty(text, async (one) => {
    await expectSame(LONG + one);
    await expectSame(LONG + one.replace(",", `${" ".repeat(70_000)},`));
  });
  await fc.assert(property, cases(300));
});

test.each([
  ["with its length announced", { "content-length": String(48 * 1024 * 1024) }],
  ["without", {}],
])("A long body is joined while it arrives, and others have turns, %s", async (_how, headers) => {
  const chunk = new Uint8Array(256 * 1024).map((_, at) => at);
  let left = 48 * 4;
  const body = new ReadableStream<Uint8Array>({
    pull: (stream) => (left-- > 0 ? stream.enqueue(chunk) : stream.close()),
  });
  const request = new Request("http://localhost/", {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body,
  });
  let [turns, isRead, counted] = [0, false, 0];
  const turn = (): void => {
    turns += 1;
    if (!isRead) setImmediate(turn);
  };
  setImmediate(turn);
  // As slow as a slow machine: a fast one has all of it in one slice.
  const add = (size: number): void => {
    counted += size;
    for (const until = performance.now() + 0.2; performance.now() < until;);
  };
  const held = { expect: () => {}, add, release: () => {} };
  const bytes = await readBody(request, RULES, held);
  isRead = true;
  expect(turns).toBeGreaterThan(1);
  expect([bytes.length, counted]).toEqual([48 * 1024 * 1024, 48 * 1024 * 1024]);
  expect(Buffer.compare(bytes.subarray(-chunk.length), chunk)).toBe(0);
});

test("Bytes that are not UTF-8 are refused wherever they are", async () => {
  const bytes = Buffer.concat([Buffer.from(`${LONG}[1,"`), Buffer.from([0xff]), Buffer.from('"]')]);
  expect(await outcome(() => parseLongJson(bytes, RULES))).toEqual({
    reason: "malformed",
    message: "The body is not valid UTF-8.",
  });
});
