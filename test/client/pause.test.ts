import { expect, test } from "bun:test";
import { pauseAfter } from "../../src/client/sync/ask.ts";

const LOW = (): number => 0;
const HIGH = (): number => 1;

test("pauses double after each failure, up to five minutes, and differ between devices", () => {
  const pauses = [1, 2, 3, 9, 10, 1_000].map((failures) => [
    pauseAfter(failures, 0, LOW),
    pauseAfter(failures, 0, HIGH),
  ]);
  expect(pauses).toEqual([
    [500, 1_000],
    [1_000, 2_000],
    [2_000, 4_000],
    [128_000, 256_000],
    [150_000, 300_000],
    [150_000, 300_000],
  ]);
});

test("a pause is never shorter than the server asks", () => {
  expect(pauseAfter(1, 60_000, HIGH)).toBe(60_000);
  expect(pauseAfter(10, 60_000, LOW)).toBe(150_000);
});
