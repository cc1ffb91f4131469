import { afterEach, describe, expect } from "bun:test";
import { realpathSync } from "node:fs";
import { join } from "node:path";
import { seed } from "../_histories.ts";
import { fileOn, type Ledger, newLedger, pullOn, pushOn } from "../_load.ts";
import { lost } from "../_lost.ts";
import {
  type Credentials,
  makeCredentials,
  type ServerProcess,
  startServerProcess,
} from "../_process.ts";
import { dice } from "../_random.ts";
import { until } from "../_replies.ts";
import { directoryForTest } from "../db/_store.ts";
import { testWith } from "./_needs.ts";

/** From now on, syncs of one of the server's files fail: the n-th one, and all that follow. */
const breakSyncs = async (server: ServerProcess, file: string, nth: number): Promise<void> => {
  const path = join(server.directory, file);
  const fault = `inject=fsync,fdatasync:error=EIO:when=${nth}+`;
  const words = ["-f", "-p", String(server.pid()), "-P", path, "-e", "trace=fsync,fdatasync"];
  const child = Bun.spawn(["strace", ...words, "-e", fault], { stderr: "pipe", stdout: "ignore" });
  let said = "";
  const read = async (): Promise<void> => {
    for await (const chunk of child.stderr) said += new TextDecoder().decode(chunk);
  };
  void read();
  await until(() => said.includes("attached"));
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
    fileOn(ledger, target),
    pullOn(ledger, target),
  ]);
};

const SAYS =
  "docket: The disk did not confirm what was written, so the server stopped at once. What was answered before is kept. " +
  "Look at the disk and at the system's log, then start the server again.\n";

describe("a disk that fails to sync", () => {
  let server: ServerProcess | null = null;
  afterEach(async () => void (await server?.stop("SIGKILL")));

  for (const [name, file, nth] of [
    ["the log, at a commit", "docket.db-wal", 30],
    ["the database, when the log is moved into it", "docket.db", 1],
  ] as const)
    testWith(
      ["strace", "root"],
      `${name}: the server ends without an answer, and nothing that was answered is lost`,
      async () => {
        const directory = realpathSync(directoryForTest());
        const ann = await makeCredentials(directory);
        server = await startServerProcess(directory);
        await breakSyncs(server, file, nth);
        const ledger = newLedger();
        const load = workOn(server, ann, ledger);
        expect(await server.ended()).toBe(1);
        await load;
        expect(server.said()).toEndWith(SAYS);
        expect(ledger.answers).toBeGreaterThan(20);
        expect(ledger.surprises).toEqual([]);
        await server.start();
        expect(await lost(server, ann.session, ledger)).toEqual([]);
      },
      20_000,
    );
});
