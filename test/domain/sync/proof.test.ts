import { expect, test } from "bun:test";
import {
  type Ack,
  acknowledge,
  deliver,
  lastSeen,
  NO_ACK,
  unnoticed,
} from "../../../src/domain/sync/proof.ts";

/** A device that was given these server times, each at its own instant, and has sent this `since`. */
const ackOf = (since: number | null, ...times: readonly number[]): Ack => ({
  since,
  deliveries: times.map((time) => ({ time, at: time })),
  furthest: since,
});

/** What a device had seen when it made an edit at `updated`, judged at 1000. */
const seenAt = (ack: Ack, updated: number, now = 1_000): number | null =>
  lastSeen(ack, { updated, now })?.time ?? null;

test.each([
  ["one that it was given proves everything up to there", 20, ackOf(20, 10, 20)],
  ["a lower one lowers the ack at once, and forgets what came after", 10, ackOf(10, 10)],
  ["null proves nothing", null, NO_ACK],
  ["one that it was never given proves nothing", 15, NO_ACK],
  ["a later one that is not known leaves what was proved", 99, ackOf(20, 10, 20, 30)],
  [
    "of what was given, only what is older than a later one may have arrived",
    25,
    ackOf(20, 10, 20),
  ],
])("When a device sends since, %s", (_name, since, after) => {
  const furthest = Math.max(20, since ?? 0);
  expect(acknowledge(ackOf(20, 10, 20, 30), since)).toEqual({ ...after, furthest });
});

test("A given server time proves nothing until the device says that it stored it", () => {
  const given = deliver(ackOf(10, 10), { time: 20, at: 20 }, false);
  expect(given).toEqual(ackOf(10, 10, 20));
  expect(seenAt(given, 99)).toBe(10);
  expect(seenAt(acknowledge(given, 20), 99)).toBe(20);
});

test("A server time that is given twice counts from the second time", () => {
  const again = deliver(ackOf(null, 10, 20), { time: 10, at: 40 }, false);
  expect(again.deliveries).toEqual([
    { time: 20, at: 20 },
    { time: 10, at: 40 },
  ]);
});

test("The last eight are kept", () => {
  let ack = NO_ACK;
  for (let time = 1; time <= 20; time += 1)
    ack = deliver(acknowledge(ack, time === 1 ? null : time - 1), { time, at: time }, false);
  expect(ack).toEqual({ ...ackOf(19, 13, 14, 15, 16, 17, 18, 19, 20), furthest: 19 });
});

test("What a device has confirmed stays known if many replies after it are lost", () => {
  let ack = ackOf(1, 1);
  for (let time = 2; time <= 20; time += 1)
    ack = deliver(acknowledge(ack, 1), { time, at: time }, false);
  expect(acknowledge(ack, 1).since).toBe(1);
});

test("An empty reply counts as given when what it confirms was given, and takes no place of its own", () => {
  let ack = ackOf(10, 10);
  for (let time = 20; time <= 500; time += 10)
    ack = acknowledge(deliver(ack, { time, at: time }, true), time);
  expect(ack.deliveries.map(({ at }) => at)).toEqual([10, 10]);
  expect(seenAt(ack, 11)).toBe(500);
});

test.each([
  ["was delivered before it", 21, 20],
  ["was delivered in the same millisecond", 20, 10],
  ["was delivered by an earlier reply than the last", 11, 10],
  ["was delivered after it", 10, null],
])("What an edit knows if it %s: %j, %j", (_name, updated, seen) => {
  expect(seenAt(ackOf(20, 10, 20), updated)).toBe(seen);
});

test("An edit knows nothing of what came with a reply that may have been lost", () => {
  expect([ackOf(10, 10, 20), ackOf(null, 10, 20), NO_ACK].map((ack) => seenAt(ack, 99))).toEqual([
    10,
    null,
    null,
  ]);
});

test("A delivery noted before the server's clock was set back says nothing about an edit's time", () => {
  const ack: Ack = { ...NO_ACK, since: 20, deliveries: [{ time: 20, at: 5_000 }] };
  expect([seenAt(ack, 30), seenAt(ack, 30, 6_000)]).toEqual([20, null]);
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
