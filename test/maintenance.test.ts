import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { statSync } from "node:fs";
import { openPull } from "../src/db/records/pull.ts";
import { startMaintenance } from "../src/maintenance.ts";
import { DAY, HOUR, MINUTE } from "../src/domain/base/instant.ts";
import { isLow, isUsedUp } from "../src/domain/base/disk-space.ts";
import { accountFor, databaseFile, openForTest, pushTask } from "./support/db/store.ts";
import { NOON, testClock } from "./support/server.ts";
import { serviceFor } from "./support/service.ts";

/** What a server logs apart from requests, on a disk with free space. */
const watched = async (start = NOON, directory?: string) => {
  const clock = testClock(start);
  const store = await openForTest({
    now: start,
    ...(directory === undefined ? {} : { directory }),
  });
  const said: unknown[] = [];
  const say = (line: string): void => {
    const { time: _time, ...rest } = JSON.parse(line) as { time: string };
    said.push(rest);
  };
  const watch = startMaintenance(serviceFor(store, clock, say));
  return { clock, store, said, watch };
};

const SET_BACK = {
  level: "warn",
  message:
    "the clock was set back: check it, as changes are stamped ahead of it until it catches up",
};

test("A clock that is set back is reported once, and again when it happens again", async () => {
  const { clock, store, said, watch } = await watched();
  const ann = await accountFor(store);
  await openPull(store, ann, null, null, clock.wall());
  watch.minute();
  clock.set(NOON - MINUTE);
  watch.minute();
  expect(said).toEqual([]);
  clock.set(NOON - HOUR);
  watch.minute();
  watch.minute();
  const told = { ...SET_BACK, clock: "2026-03-04T11:00:00.000Z", ahead_s: 3_600 };
  expect(said).toEqual([told]);
  clock.set(NOON);
  watch.minute();
  clock.set(NOON - HOUR);
  watch.minute();
  expect(said).toEqual([told, told]);
});

test("A clock that is more than a day behind the data is reported at the start", async () => {
  const { store } = await watched();
  const ann = await accountFor(store);
  await openPull(store, ann, null, null, NOON);
  await store.close();
  const inTime = await watched(NOON - DAY, store.directory);
  expect(inTime.said).toEqual([]);
  await inTime.store.close();
  const { said } = await watched(NOON - DAY - HOUR, store.directory);
  expect(said).toEqual([
    {
      level: "warn",
      message:
        "this machine's clock is more than a day behind the data: correct it, or changes from devices are dated too early",
      clock: "2026-03-03T11:00:00.000Z",
      data: "2026-03-04T12:00:00.000Z",
    },
  ]);
});

test("A log that another process keeps from being emptied is reported once, and emptied later", async () => {
  const { store, said, watch } = await watched();
  const ann = await accountFor(store);
  const reader = new Database(databaseFile(store.directory), { readonly: true });
  reader.run("BEGIN");
  reader.query("SELECT count(*) FROM record").get();
  for (let task = 0; task < 66; task += 1)
    await pushTask(store, ann, `t${task}`, NOON + task, { filler: "x".repeat(1_000_000) });
  // Not while its own thread still moves the log.
  for (let tries = 0; said.length === 0 && tries < 200; tries += 1) {
    watch.minute();
    await Bun.sleep(20);
  }
  watch.minute();
  expect(said).toEqual([
    {
      level: "warn",
      message:
        "the database log keeps growing because another process has docket.db open: stop that process",
      log_mb: expect.any(Number) as number,
    },
  ]);
  reader.close(true);
  watch.minute();
  expect(statSync(`${databaseFile(store.directory)}-wal`).size).toBe(0);
});

test("A disk is nearly full below 5 % or 256 MB, and full below 1 MB", () => {
  const MB = 1024 * 1024;
  for (const [free, total, low, full] of [
    [400 * MB, 1_000 * MB, false, false],
    [255 * MB, 1_000 * MB, true, false],
    [400 * MB, 10_000 * MB, true, false],
    [600 * MB, 10_000 * MB, false, false],
    [MB - 1, 10_000 * MB, true, true],
  ] as const)
    expect([free, total, isLow({ free, total }), isUsedUp({ free, total })]).toEqual([
      free,
      total,
      low,
      full,
    ]);
});
