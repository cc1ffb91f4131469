import { afterEach, describe, expect, test } from "bun:test";
import { realpathSync } from "node:fs";
import { fileOn, newAgent } from "../support/agent.ts";
import { dice, seed } from "../support/random.ts";
import { newLedger, pullOn, pushOn } from "../support/load.ts";
import { lost } from "../support/lost.ts";
import { makeCredentials, type ServerProcess, startServerProcess } from "../support/process.ts";
import { DOCKET } from "../support/docket.ts";
import { run } from "../support/program.ts";
import { directoryForTest } from "../support/db/store.ts";

describe("a second server on the same data", () => {
  let server: ServerProcess | null = null;
  afterEach(async () => void (await server?.stop("SIGKILL")));

  test("is refused while the first keeps working, and starts once the first was killed", async () => {
    const directory = realpathSync(directoryForTest());
    const ann = await makeCredentials(directory);
    server = await startServerProcess(directory);
    const ledger = newLedger();
    let over = false;
    const target = {
      ...ann,
      url: server.url(),
      random: dice(seed),
      records: 50,
      isOver: () => over,
    };
    const load = [
      pushOn(ledger, target, "laptop"),
      fileOn(ledger, target, newAgent()),
      pullOn(ledger, target),
    ];
    for (let tried = 0; tried < 3; tried += 1)
      expect(await run(DOCKET, ["serve", "--port", "0", "--data", directory])).toEqual({
        code: 1,
        out: "",
        err:
          `docket: Another Docket server (process ${server.pid()}) is using ${directory}. ` +
          "Stop it first, or choose another directory with --data.\n",
      });
    const answers = ledger.answers;
    expect(answers).toBeGreaterThan(0);
    while (ledger.answers === answers) await Bun.sleep(1);
    await server.stop("SIGKILL");
    over = true;
    await Promise.all(load);
    await server.start();
    expect(await lost(server, ann.session, ledger)).toEqual([]);
    expect(ledger.surprises).toEqual([]);
  });
});
