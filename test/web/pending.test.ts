import { expect, test } from "bun:test";
import { MINUTE } from "../../src/domain/base/instant.ts";
import { startPending } from "../../src/web/shared/form.ts";
import { testClock } from "../support/server.ts";

test("a value is kept for its lifetime, and can be taken once", () => {
  const clock = testClock();
  const pending = startPending<string>(5 * MINUTE, clock);
  pending.put("a", "first", "192.0.2.1");
  pending.put("b", "second", "192.0.2.1");
  expect([pending.find("a"), pending.find("c")]).toEqual(["first", null]);
  expect([pending.take("a"), pending.take("a")]).toEqual(["first", null]);
  clock.advance(5 * MINUTE - 1);
  expect(pending.find("b")).toBe("second");
  clock.advance(1);
  expect([pending.find("b"), pending.take("b")]).toEqual([null, null]);
});

test("setting the clock does not change how long a value is kept", () => {
  const clock = testClock();
  const pending = startPending<number>(MINUTE, clock);
  pending.put("a", 1, "192.0.2.1");
  clock.set(0);
  expect(pending.find("a")).toBe(1);
  clock.advance(MINUTE);
  expect(pending.find("a")).toBeNull();
});

test("an address that keeps asking pushes out only its own values", () => {
  const pending = startPending<number>(MINUTE, testClock());
  pending.put("ann", 0, "192.0.2.1");
  for (let count = 0; count < 500; count++) pending.put(`flood ${count}`, count, "192.0.2.2");
  expect([pending.find("ann"), pending.find("flood 399"), pending.find("flood 400")]).toEqual([
    0,
    null,
    400,
  ]);
});

test("many addresses together cannot make it keep more than ten thousand values", () => {
  const pending = startPending<number>(MINUTE, testClock());
  for (let count = 0; count < 10_050; count++) pending.put(`${count}`, count, `10.0.0.${count}`);
  const kept = Array.from({ length: 10_050 }, (_, count) => pending.find(`${count}`));
  expect([kept.filter((value) => value !== null).length, kept[49], kept[50]]).toEqual([
    10_000,
    null,
    50,
  ]);
});
