import { afterEach, describe, expect } from "bun:test";
import { readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { fileOn, newAgent } from "../support/agent.ts";
import { dice, seed } from "../support/random.ts";
import { type Ledger, newLedger, pullOn, pushOn } from "../support/load.ts";
import { lost } from "../support/lost.ts";
import {
  type Credentials,
  makeCredentials,
  query,
  type ServerProcess,
  startServerProcess,
} from "../support/process.ts";
import { DOCKET } from "../support/docket.ts";
import { run } from "../support/program.ts";
import { until } from "../support/replies.ts";
import { directoryForTest } from "../support/db/store.ts";
import { asRoot, testWith } from "../support/faults/needs.ts";

/**
 * Makes the n-th sync of these files of the server fail, and every later one. Returns the file that records what
 * the server does to them.
 */
const breakSyncs = async (
  { directory, pid }: ServerProcess,
  files: readonly string[],
  nth: number,
): Promise<string> => {
  const trace = join(directoryForTest(), "trace");
  const paths = files.flatMap((file) => ["-P", join(directory, file)]);
  const calls = ["-e", "trace=fsync,pwrite64", "-e", `inject=fsync:error=EIO:when=${nth}+`];
  const words = ["strace", "-f", "-y", "-p", String(pid()), "-o", trace, ...paths, ...calls];
  const child = Bun.spawn([...asRoot, ...words], { stderr: "pipe", stdout: "ignore" });
  let said = "";
  const read = async (): Promise<void> => {
    for await (const chunk of child.stderr) said += new TextDecoder().decode(chunk);
  };
  void read();
  await until(() => said.includes("attached"));
  return trace;
};

const workOn = (server: ServerProcess, ann: Credentials, ledger: Ledger): Promise<unknown> => {
  const target = {
    ...ann,
    url: server.url(),
    random: dice(seed),
    records: 50,
    isOver: () => false,
  };
  return Promise.all([
    pushOn(ledger, target, "laptop"),
    pushOn(ledger, target, "phone"),
    fileOn(ledger, target, newAgent()),
    pullOn(ledger, target),
  ]);
};

/**
 * Returns what was done to the files after the first sync that failed, except that another thread, which moves the log
 * into the database, may still sync and move pages: those are from the part of the log that is known to be whole, and
 * the write that failed is not in it. (strace counts the syncs of each thread, so those of that thread still succeed.)
 */
const doneAfterFailure = (trace: string): readonly string[] => {
  const lines = trace.trim().split("\n");
  const at = lines.findIndex((line) => line.includes(" EIO "));
  if (at < 0) throw new Error(`No sync failed: ${trace}`);
  const [thread = ""] = lines[at]?.split(" ") ?? [];
  const calls = lines.slice(at + 1).filter((line) => /^\d+ +(fsync|pwrite64)\(/.test(line));
  const isMove = (line: string): boolean =>
    !line.startsWith(`${thread} `) && /fsync\(|pwrite64\(\d+<[^>]*docket\.db>/.test(line);
  return calls.filter((line) => !isMove(line));
};

const SAYS =
  "docket: The disk did not confirm a write, so the server stopped at once. Every write it had confirmed is safe. " +
  "Check the disk and the system log, then start the server again.\n";

describe("a disk that fails to sync", () => {
  let server: ServerProcess | null = null;
  afterEach(async () => void (await server?.stop("SIGKILL")));

  for (const [name, files, nth] of [
    ["the log, during a commit", ["docket.db-wal", "docket.db"], 30],
    ["the database, while the log is moved into it", ["docket.db"], 1],
  ] as const)
    testWith(
      ["strace", "root"],
      `${name}: the server stops without an answer, and no confirmed write is lost`,
      async () => {
        const directory = realpathSync(directoryForTest());
        const ann = await makeCredentials(directory);
        server = await startServerProcess(directory);
        const trace = await breakSyncs(server, files, nth);
        const ledger = newLedger();
        const load = workOn(server, ann, ledger);
        expect(await server.ended()).toBe(1);
        await load;
        expect(server.said()).toEndWith(SAYS);
        expect(doneAfterFailure(readFileSync(trace, "utf8"))).toEqual([]);
        expect(ledger.answers).toBeGreaterThan(20);
        expect(ledger.surprises).toEqual([]);
        await server.start();
        expect(await lost(server, ann.session, ledger)).toEqual([]);
      },
    );

  testWith(
    ["strace"],
    "during a command: it says that the write may or may not have been saved",
    async () => {
      const directory = realpathSync(directoryForTest());
      await makeCredentials(directory);
      const path = join(directory, "docket.db-wal");
      const inject = ["-e", "trace=fsync", "-e", "inject=fsync:error=EIO"];
      const program = ["strace", "-f", "-o", "/dev/null", "-P", path, ...inject, ...DOCKET];
      expect(
        await run(program, ["account", "add", "bob@example.org", "--data", directory]),
      ).toEqual({
        code: 1,
        out: "",
        err:
          "docket: The disk did not confirm the write, so it may or may not have been saved. " +
          "Check after the server has restarted.\n",
      });
      expect(query(directory, "PRAGMA quick_check")).toEqual([{ quick_check: "ok" }]);
    },
  );
});
