import { heapStats } from "bun:jsc";
import { expect, test } from "bun:test";
import { countShortTexts, makeRoom } from "../../../src/domain/base/short-texts.ts";

const short = (at: number): string => at.toString(36).padStart(12, "q");
const listOf = (count: number, text: (at: number) => unknown): string =>
  JSON.stringify({ title: "t", list: Array.from({ length: count }, (_, at) => text(at)) });

const tab = (at: number) => ({
  id: crypto.randomUUID(),
  url: `https://trains.example/night?to=${at}`,
  title: `The night train to Lisbon number ${at}`,
  created_at: new Date(at).toISOString(),
});

test.each([
  ["30,000 short texts", listOf(30_000, short), 24_000, 33_000],
  ["4,000 short texts", listOf(4_000, short), 3_200, 4_400],
  ["4,000 short names", listOf(4_000, (at) => ({ [short(at)]: 1 })), 2_500, 4_400],
  ["texts that are there again and again", listOf(30_000, (at) => short(at % 5)), 0, 100],
  ["texts of 17 characters", listOf(4_000, (at) => `${short(at)}12345`), 0, 200],
  ["1,500 tabs", listOf(1_500, tab), 0, 900],
  ["100,000 characters of notes", listOf(1, () => "a b ".repeat(25_000)), 0, 200],
  ["what is not long", listOf(1_000, short).slice(0, 16 * 1024), 0, 0],
])("The different short texts are estimated: %s", (_name, json, least, most) => {
  for (let round = 0; round < 20; round++) {
    const count = countShortTexts(json);
    expect([count, count >= least, count <= most]).toEqual([count, true, true]);
  }
});

const texts = (): number => heapStats().objectTypeCounts["string"] ?? 0;

test("Unused texts are cleared before there are many", () => {
  makeRoom(60_000);
  const before = texts();
  JSON.parse(listOf(50_000, short));
  expect(texts() - before).toBeGreaterThan(40_000);
  makeRoom(1);
  expect(texts() - before).toBeLessThan(1_000);
});
