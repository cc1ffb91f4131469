import { afterEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { realpathSync, statSync, truncateSync } from "node:fs";
import {
  type Credentials,
  makeCredentials,
  query,
  type ServerProcess,
  startServerProcess,
} from "../support/process.ts";
import { DOCKET } from "../support/docket.ts";
import { run } from "../support/program.ts";
import { change } from "../support/replies.ts";
import { send } from "../support/server.ts";
import { databaseFile, directoryForTest } from "../support/db/store.ts";
import { FRAME, frameAt, overwrite, writeAt } from "../support/faults/damage.ts";
import { filesIn } from "../support/faults/storage.ts";

/** Pushes 200 tasks, each about a page long. */
const fillServer = async (server: ServerProcess, { session }: Credentials): Promise<void> => {
  const records = Array.from({ length: 200 }, (_, index) =>
    change("sync_tasks", `t${index}`, { title: `t${index}`, filler: "x".repeat(3_000) }),
  );
  const options = { token: session, body: records };
  const { json } = await send("POST", `${server.url()}/api/public/v1/sync`, options);
  expect(json.applied).toBe(200);
};

const countTasks = (directory: string): number =>
  query<{ tasks: number }>(directory, "SELECT count(*) AS tasks FROM record")[0]?.tasks ?? 0;

const serveFails = async (directory: string): Promise<string> => {
  const words = ["serve", "--port", "0", "--data", directory, "--log", "off"];
  const { code, out, err } = await run(DOCKET, words);
  expect([code, out]).toEqual([1, ""]);
  return err;
};

const docket = async (directory: string, ...words: readonly string[]): Promise<void> => {
  const { code, err } = await run(DOCKET, [...words, "--data", directory]);
  expect([code, code === 0 ? "" : err]).toEqual([0, ""]);
};

describe("damaged data", () => {
  let server: ServerProcess | null = null;
  afterEach(async () => void (await server?.stop("SIGKILL")));

  /** The data of a server after a clean stop, with a backup. */
  const stopped = async (): Promise<string> => {
    const directory = realpathSync(directoryForTest());
    const ann = await makeCredentials(directory);
    server = await startServerProcess(directory);
    await fillServer(server, ann);
    await server.stop("SIGTERM");
    await docket(directory, "restore", databaseFile(directory), "--yes");
    await docket(directory, "backup", join(directory, "backups", "monday.db"));
    return directory;
  };

  for (const [where, page, what] of [
    ["in its middle", 60, String.raw`damaged \(.+\)`],
    ["in its header", 0, "damaged or not a database"],
  ] as const)
    test(`a damaged page ${where}: the server does not start, changes nothing, and names the backup`, async () => {
      const directory = await stopped();
      const file = databaseFile(directory);
      overwrite(file, page);
      const before = filesIn(directory);
      const backup = join(directory, "backups", "monday.db");
      const said = await serveFails(directory);
      expect(said).toMatch(new RegExp(`^docket: ${file} is ${what}\\. Nothing was changed\\. `));
      expect(said).toEndWith(` Replace it with a backup: docket restore ${backup}\n`);
      expect(filesIn(directory)).toEqual(before);
      await docket(directory, "restore", backup, "--yes");
      await server?.start();
      expect(countTasks(directory)).toBe(200);
    });

  /** The data of a killed server. Its last changes, a task each, are only in the log. */
  const killed = async (): Promise<{ directory: string; log: string }> => {
    const directory = realpathSync(directoryForTest());
    const ann = await makeCredentials(directory);
    server = await startServerProcess(directory);
    for (let title = 0; title < 20; title += 1) {
      const options = { token: ann.session, body: { title: String(title) } };
      const { status } = await send("POST", `${server.url()}/api/public/v1/tasks`, options);
      expect(status).toBe(201);
    }
    await server.stop("SIGKILL");
    return { directory, log: `${databaseFile(directory)}-wal` };
  };

  for (const [where, damage] of [
    ["a damaged page in the middle of the log", (log: string) => overwrite(log, middle(log))],
    ["a damaged header of the log", (log: string) => writeAt(log, new Uint8Array(32), 0)],
  ] as const)
    test(`${where}: no command and no server takes the remaining changes for all of them`, async () => {
      const { directory, log } = await killed();
      damage(log);
      const before = filesIn(directory);
      const file = databaseFile(directory);
      const refusal =
        `docket: ${log} is damaged and has lost changes that were confirmed. Nothing was changed. ` +
        `To continue without them, run \`docket restore ${file}\`. ` +
        "To go back to a backup, run `docket restore FILE`.\n";
      expect(await serveFails(directory)).toBe(refusal);
      for (const words of [
        ["account", "list"],
        ["backup", join(directory, "copy.db")],
      ])
        expect(await run(DOCKET, [...words, "--data", directory])).toEqual({
          code: 1,
          out: "",
          err: refusal,
        });
      expect(filesIn(directory)).toEqual(before);
      await docket(directory, "restore", file, "--yes");
      await server?.start();
      expect(countTasks(directory)).toBeLessThan(20);
    });

  test("a log whose last page was half-written in a crash does not count as damaged", async () => {
    const { directory, log } = await killed();
    truncateSync(log, statSync(log).size - 1_000);
    await server?.start();
    expect(countTasks(directory)).toBe(19);
  });
});

const middle = (log: string): number =>
  Math.floor(frameAt(Math.floor(statSync(log).size / FRAME / 2)) / 4_096);
