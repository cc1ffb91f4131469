import { expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { nameOfCopy } from "../../src/db/copies.ts";
import { verifyBackup } from "../../src/db/sqlite/files/copy.ts";
import { DAY, HOUR } from "../../src/domain/base/instant.ts";
import { startBackups } from "../../src/server/backups.ts";
import { startLog } from "../../src/server/log.ts";
import { pushTask } from "../support/db/store.ts";
import { withTask } from "../support/backups.ts";
import { NOON } from "../support/server.ts";

test("A copy is made once a day, whole and for its owner's eyes alone", async () => {
  const { clock, store, ann, directory, backups } = await withTask();
  await backups.look();
  const [name = ""] = readdirSync(directory);
  expect(name).toBe("daily-2026-03-04T12-00-00-000Z.db");
  expect(verifyBackup(join(directory, name))).toMatchObject({ accounts: 1, tasks: 1 });
  expect([statSync(join(directory, name)).mode & 0o777, statSync(directory).mode & 0o777]).toEqual([
    0o600, 0o700,
  ]);
  clock.set(NOON + DAY - HOUR);
  await pushTask(store, ann, "bread", clock.wall());
  await backups.look();
  expect(readdirSync(directory)).toEqual([name]);
  clock.set(NOON + DAY);
  await backups.look();
  const { copies, failure } = backups.state();
  expect([copies.length, copies[0]?.at, failure]).toEqual([2, NOON + DAY, null]);
  expect(verifyBackup(join(directory, copies[0]?.name ?? ""))).toMatchObject({ tasks: 2 });
});

test("A restore is tried out once a month, and the log says if it fails", async () => {
  const { clock, said, directory, backups } = await withTask({ drills: true });
  await backups.look();
  expect(backups.state().drill).toEqual({ at: NOON, failure: null });
  clock.set(NOON + 20 * DAY);
  await backups.look();
  expect(backups.state().drill).toEqual({ at: NOON, failure: null });
  clock.set(NOON + 30 * DAY);
  await backups.look();
  expect(backups.state().drill).toEqual({ at: NOON + 30 * DAY, failure: null });
  clock.set(NOON + 60 * DAY);
  // The copy of that day is there already, and cannot be restored.
  writeFileSync(join(directory, nameOfCopy("daily", clock.wall())), "hello");
  for (let looks = 0; looks < 2; looks += 1) await backups.look();
  expect(backups.state().drill).toEqual({
    at: NOON + 30 * DAY,
    failure: expect.stringContaining("is not a Docket database"),
  });
  expect(said.filter((line) => line.includes("was tried out, and failed"))).toHaveLength(1);
});

test("A copy from a clock that ran ahead does not stand in for those of the days until then", async () => {
  const { clock, backups } = await withTask();
  clock.set(NOON + 200 * DAY);
  await backups.look();
  clock.set(NOON);
  await backups.look();
  await backups.look();
  expect(backups.state().copies.map(({ at }) => at)).toEqual([NOON + 200 * DAY, NOON]);
});

test("What cannot be made is said once, and made as soon as it can", async () => {
  const { clock, said, directory, backups } = await withTask();
  writeFileSync(directory, "a file, where the directory should be");
  await backups.look();
  expect(backups.state().failure).toContain("EEXIST");
  await backups.look();
  expect(said.filter((line) => line.includes("the daily backup could not be made"))).toHaveLength(
    1,
  );
  chmodSync(directory, 0o600);
  await Bun.file(directory).delete();
  clock.set(NOON + HOUR);
  await backups.look();
  expect(backups.state()).toMatchObject({ failure: null, copies: [{ at: NOON + HOUR }] });
});

test("Where another copy does not fit even without the older ones, none of those is removed", async () => {
  const { directory, backups } = await withTask();
  mkdirSync(directory);
  const names = ["01", "02", "03"].map((day) => `daily-2026-03-${day}T00-00-00-000Z.db`);
  for (const name of names) writeFileSync(join(directory, name), "");
  // It takes more than half of any disk, and is kept as the newest.
  truncateSync(join(directory, names.at(-1) ?? ""), 8 * 2 ** 40);
  await backups.look();
  expect(backups.state().failure).toContain("at most half of the free disk");
  expect(readdirSync(directory).toSorted()).toEqual(names);
});

test("A server that ends while it makes a copy leaves none that looks whole, and the next makes it", async () => {
  const { store, clock, directory, backups, said } = await withTask();
  const making = backups.look();
  backups.stop();
  await making;
  expect(said).toEqual([]);
  writeFileSync(join(directory, "daily-2026-03-03T12-00-00-000Z.db.partial"), "half");
  expect(backups.state().copies).toEqual([]);
  const log = startLog(
    "off",
    () => {},
    () => new Date(0),
  );
  const next = startBackups({ store, clock, log }, directory);
  await next.look();
  expect(readdirSync(directory)).toEqual(["daily-2026-03-04T12-00-00-000Z.db"]);
  expect(existsSync(join(store.directory, "docket.db"))).toBe(true);
});
