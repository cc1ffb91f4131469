import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { nameOfCopy } from "../../src/db/copies.ts";
import { DAY } from "../../src/domain/base/instant.ts";
import { fileOn, newAgent } from "../support/agent.ts";
import type { Row } from "../support/client.ts";
import { DOCKET } from "../support/docket.ts";
import { type Ledger, newLedger, pushOn } from "../support/load.ts";
import { plainEnvironment, run } from "../support/program.ts";
import {
  type Credentials,
  makeCredentials,
  rowsIn,
  type ServerProcess,
  startServerProcess,
} from "../support/process.ts";
import { dice, seed, times } from "../support/random.ts";
import { NOON, testDirectory } from "../support/server.ts";

const directory = testDirectory();
const backups = join(directory, "backups");
const restored = testDirectory();
const random = dice(seed);
const ledger = newLedger();
let ann: Credentials;
let server: ServerProcess;
let isOver = false;
let load: Promise<unknown>;

beforeAll(async () => {
  mkdirSync(backups);
  ann = await makeCredentials(directory);
  server = await startServerProcess(directory);
  const target = { ...ann, url: server.url(), random, records: 200, isOver: () => isOver };
  load = Promise.all([
    pushOn(ledger, target, "laptop"),
    pushOn(ledger, target, "phone"),
    fileOn(ledger, target, newAgent()),
  ]);
  await Bun.sleep(300);
});

afterAll(async () => {
  isOver = true;
  await load;
  await server.stop("SIGKILL");
});

const docket = (...words: readonly string[]) => run(DOCKET, [...words, "--data", directory]);

/** Starts a command, and kills it after some milliseconds unless it has ended by then. */
const killAfter = async (ms: number, words: readonly string[]): Promise<void> => {
  const child = Bun.spawn([...DOCKET, ...words, "--data", directory], {
    env: plainEnvironment(),
    stdio: ["ignore", "ignore", "ignore"],
  });
  await Bun.sleep(ms);
  child.kill("SIGKILL");
  await child.exited;
};

const versionsIn = (rows: readonly Row[], device: string): ReadonlyMap<string, unknown> =>
  new Map(
    rows.flatMap(({ id, payload }) =>
      id.startsWith(`${device}-`) ? [[id, payload["version"]] as const] : [],
    ),
  );

/** Whether these are what a device's pushes made, up to one of them. */
const areWhole = (found: ReadonlyMap<string, unknown>, sent: Ledger["sent"], device: string) => {
  const made = new Map<string, unknown>();
  const isSame = (): boolean =>
    made.size === found.size && [...made].every(([id, version]) => found.get(id) === version);
  return (
    isSame() ||
    (sent.get(device) ?? []).some((batch) => {
      for (const { id, version } of batch) made.set(id, version);
      return isSame();
    })
  );
};

test("A copy under full load has every write that was answered before it began, and no push in part", async () => {
  for (let round = 0; round < times(5); round += 1) {
    const [pushed, filed] = [new Map(ledger.pushed), [...ledger.filed]];
    const file = join(backups, nameOfCopy("daily", NOON + round * DAY));
    expect((await docket("backup", file)).code).toBe(0);
    const place = join(restored, `${round}`);
    expect((await run(DOCKET, ["restore", file, "--yes", "--data", place])).code).toBe(0);
    const rows = rowsIn(place);
    const text = JSON.stringify(rows);
    expect(filed.filter((id) => !text.includes(id))).toEqual([]);
    for (const device of ["laptop", "phone"]) {
      const found = versionsIn(rows, device);
      expect(areWhole(found, ledger.sent, device)).toBe(true);
      const behind = [...pushed].filter(
        ([id, version]) => id.startsWith(`${device}-`) && Number(found.get(id) ?? 0) < version,
      );
      expect(behind).toEqual([]);
    }
  }
  expect(ledger.surprises).toEqual([]);
});

test("Copies, drills and prunings that are killed leave whole copies, and a server that works on", async () => {
  for (let round = 0; round < times(20); round += 1) {
    const copy = join(backups, nameOfCopy("daily", NOON + (round + 10) * DAY));
    await killAfter(random(60), ["backup", copy]);
    await killAfter(random(80), ["drill"]);
    await killAfter(random(30), ["backups", "prune"]);
  }
  const answers = ledger.answers;
  const { code, out } = await docket("backups", "verify");
  expect([code, out]).toEqual([0, expect.stringMatching(/^(?:daily-\S+: sound, .*\n)+$/)]);
  expect((await docket("drill")).code).toBe(0);
  expect(readdirSync(directory).filter((name) => name.startsWith("drill"))).toEqual([]);
  expect([ledger.answers > answers, ledger.surprises]).toEqual([true, []]);
});
