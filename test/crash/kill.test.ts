import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { seed, times } from "../_histories.ts";
import { fileOn, newLedger, pullOn, pushOn } from "../_load.ts";
import { lost } from "../_lost.ts";
import {
  type Credentials,
  makeCredentials,
  type ServerProcess,
  startServerProcess,
} from "../_process.ts";
import { dice } from "../_random.ts";
import { testDirectory } from "../_server.ts";

describe("a server that is killed under load, again and again", () => {
  const directory = testDirectory();
  const random = dice(seed);
  const ledger = newLedger();
  let ann: Credentials;
  let server: ServerProcess;

  beforeAll(async () => {
    ann = await makeCredentials(directory);
    server = await startServerProcess(directory);
  });
  afterAll(() => server.stop("SIGKILL"));

  /** Two devices, two agents and one that only looks, until so many answers came: then the kill. */
  const killAfter = async (answers: number): Promise<void> => {
    const end = ledger.answers + answers;
    const target = { ...ann, url: server.url(), random, isOver: () => ledger.answers >= end };
    const load = [
      pushOn(ledger, target, "laptop"),
      pushOn(ledger, target, "phone"),
      fileOn(ledger, target),
      fileOn(ledger, target),
      pullOn(ledger, target),
    ];
    await Promise.race(load);
    await server.stop("SIGKILL");
    await Promise.all(load);
  };

  test(
    "everything that was answered is there after every start, and no push stands by half",
    async () => {
      for (let round = 0; round < times(50); round += 1) {
        await killAfter(1 + random(300));
        await server.start();
        expect(await lost(server, ann.session, ledger)).toEqual([]);
        expect(ledger.surprises).toEqual([]);
      }
    },
    300_000 * times(1),
  );
});
