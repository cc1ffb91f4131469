import { expect, test } from "bun:test";
import {
  type Ack,
  acknowledge,
  issue,
  knows,
  NO_ACK,
  unnoticed,
} from "../../../src/domain/sync/seen/ack.ts";
import { MINUTE } from "../../../src/domain/base/instant.ts";

/** A device that was given these server times, each at its own instant, and has sent this `since`. */
const ackOf = (since: number | null, ...times: readonly number[]): Ack => ({
  since,
  issued: times.map((time) => ({ time, at: time })),
  furthest: since,
});

/** An edit, judged at 1000. */
const madeAt = (updated: number) => ({ updated, now: 1_000 });

const timesOf = ({ issued }: Ack): readonly number[] => issued.map(({ time }) => time);

test.each([
  ["one that it was given proves everything up to there", 20, ackOf(20, 10, 20)],
  ["a lower one lowers the ack at once, and forgets what came after", 10, ackOf(10, 10)],
  ["null proves nothing", null, NO_ACK],
  ["one that it was never given proves nothing", 15, NO_ACK],
  ["a later one that is not known leaves what was proved", 99, ackOf(20, 10, 20, 30)],
])("When a device sends since, %s", (_name, since, after) => {
  const furthest = Math.max(20, since ?? 0);
  expect(acknowledge(ackOf(20, 10, 20, 30), since)).toEqual({ ...after, furthest });
});

test("A given server time proves nothing until the device says that it stored it", () => {
  const given = issue(ackOf(10, 10), { time: 20, at: 20 });
  expect(given).toEqual(ackOf(10, 10, 20));
  expect(knows(given, 15, madeAt(99))).toBe(false);
  expect(knows(acknowledge(given, 20), 15, madeAt(99))).toBe(true);
});

test("A server time that is given twice counts from the second time", () => {
  const again = issue(ackOf(null, 10, 20), { time: 10, at: 40 });
  expect(again.issued).toEqual([
    { time: 20, at: 20 },
    { time: 10, at: 40 },
  ]);
});

test("The last eight are always kept, earlier ones ever more sparsely, and never too many", () => {
  let ack = NO_ACK;
  for (let minute = 1; minute <= 500; minute += 1) {
    const time = minute * MINUTE;
    ack = issue(acknowledge(ack, minute === 1 ? null : time - MINUTE), { time, at: time });
    const last = Array.from({ length: Math.min(8, minute) }, (_, back) => time - back * MINUTE);
    expect(timesOf(ack).slice(-8)).toEqual(last.toReversed());
  }
  const times = timesOf(ack);
  expect([times.length, times[0], times]).toEqual([24, MINUTE, times.toSorted((a, b) => a - b)]);
  const afterGap = ack.issued.map((one) => one.afterGap ?? false);
  expect([afterGap[0], ...new Set(afterGap.slice(1, -8)), ...new Set(afterGap.slice(-7))]).toEqual([
    false,
    true,
    false,
  ]);
  const gaps = times.slice(1).map((time, at) => time - (times[at] ?? 0));
  // The one before the last eight is minutes old, not hours; the oldest ones are hours apart.
  expect(gaps.at(-9)).toBeLessThan(10 * MINUTE);
  expect(gaps[0]).toBeGreaterThan(60 * MINUTE);
});

test("After a crash, others may have been given before the next one, unless the device stored none of them", () => {
  const saved: Ack = { ...ackOf(10, 10), mayLack: true };
  const next = issue(acknowledge(saved, 15), { time: 20, at: 20 });
  expect(next).toEqual({
    since: 10,
    issued: [
      { time: 10, at: 10 },
      { time: 20, at: 20, afterGap: true },
    ],
    furthest: 15,
  });
  expect(issue(next, { time: 20, at: 25 }).issued.at(-1)).toEqual({
    time: 20,
    at: 25,
    afterGap: true,
  });
  expect(issue(acknowledge(saved, 10), { time: 20, at: 20 })).toEqual(ackOf(10, 10, 20));
  expect(acknowledge(saved, null)).toEqual({ ...NO_ACK, furthest: 10 });
});

test.each([
  ["was delivered before it", 15, 21, true],
  ["was delivered in the same millisecond", 15, 20, false],
  ["was delivered after it", 15, 19, false],
  ["was delivered by an earlier reply than the last", 10, 11, true],
  ["was stamped at the server time itself", 20, 21, true],
  ["was stamped after the server time", 21, 99, false],
])("Whether an edit knows what %s: %j, %j, %j", (_name, stamp, updated, known) => {
  expect(knows(ackOf(20, 10, 20), stamp, madeAt(updated))).toBe(known);
});

test("An edit knows nothing of what came with a reply that may have been lost", () => {
  expect(knows(ackOf(10, 10, 20), 15, madeAt(99))).toBe(false);
  expect(knows(ackOf(null, 10, 20), 5, madeAt(99))).toBe(false);
  expect(knows(NO_ACK, 5, madeAt(99))).toBe(false);
});

test("A page counts as later than the time up to which it goes", () => {
  const page: Ack = { ...NO_ACK, since: 20, issued: [{ time: 20, at: 50 }] };
  expect([knows(page, 15, madeAt(50)), knows(page, 15, madeAt(51))]).toEqual([false, true]);
});

test("A reply that may be incomplete proves nothing, but the next complete one does", () => {
  const ack: Ack = {
    ...NO_ACK,
    since: 30,
    issued: [
      { time: 20, at: 20, partial: true },
      { time: 30, at: 30 },
    ],
  };
  expect([
    knows(ack, 15, madeAt(21)),
    knows(ack, 15, madeAt(30)),
    knows(ack, 15, madeAt(31)),
  ]).toEqual([false, false, true]);
  expect(knows({ ...ack, since: 20 }, 15, madeAt(99))).toBe(false);
});

test("A delivery noted before the server's clock was set back says nothing about an edit's time", () => {
  const ack: Ack = { ...NO_ACK, since: 20, issued: [{ time: 20, at: 5_000 }] };
  expect([knows(ack, 15, madeAt(30)), knows(ack, 15, { updated: 30, now: 6_000 })]).toEqual([
    true,
    false,
  ]);
});

test("A restore is noticed once the device has confirmed a pull from after it; of several the first counts", () => {
  const [first, second] = [
    { newest: 10, from: 15 },
    { newest: 20, from: 25 },
  ];
  const after = (since: number) => unnoticed([first, second], ackOf(since, since));
  expect([unnoticed([], NO_ACK), unnoticed([first, second], NO_ACK)]).toEqual([null, 10]);
  // An idle pull gives a time that is later than the newest stamp.
  expect([after(10), after(14), after(15), after(24), after(25)]).toEqual([10, 10, 20, 20, null]);
  // After the second restore, it sends what it was given between the two, and then nothing.
  const between = acknowledge(acknowledge(ackOf(9, 9), 17), null);
  expect([unnoticed([first, second], between), between.since]).toEqual([20, null]);
});
