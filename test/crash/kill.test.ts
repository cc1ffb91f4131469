import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { fileOn, newAgent } from "../support/agent.ts";
import { dice, seed, times } from "../support/random.ts";
import { newLedger, pullOn, pushOn } from "../support/load.ts";
import { lost } from "../support/lost.ts";
import {
  type Credentials,
  makeCredentials,
  makeSession,
  type ServerProcess,
  startServerProcess,
} from "../support/process.ts";
import { buildBinary } from "../support/program.ts";
import { testDirectory } from "../support/server.ts";
import { editLateOn, newTablet } from "../support/tablet.ts";

describe("a server that is killed under load again and again", () => {
  const directory = testDirectory();
  const random = dice(seed);
  const ledger = newLedger();
  const tablet = newTablet();
  const agents = [newAgent(), newAgent()];
  let ann: Credentials;
  let onTablet: string;
  let server: ServerProcess;

  beforeAll(async () => {
    ann = await makeCredentials(directory);
    onTablet = await makeSession(directory, "tablet");
    server = await startServerProcess(directory, { program: await buildBinary() });
  });
  afterAll(() => server.stop("SIGKILL"));

  /** Runs two devices, one that is behind, two agents and a reader, and kills the server in the middle of their work. */
  const killAfter = async (ms: number): Promise<void> => {
    let isOver = false;
    const target = { ...ann, url: server.url(), random, records: 40, isOver: () => isOver };
    const load = [
      pushOn(ledger, target, "laptop"),
      pushOn(ledger, target, "phone"),
      ...agents.map((agent) => fileOn(ledger, target, agent)),
      pullOn(ledger, target),
      editLateOn(ledger, { ...target, session: onTablet }, tablet),
    ];
    await Bun.sleep(ms);
    isOver = true;
    await server.stop("SIGKILL");
    await Promise.all(load);
  };

  test(
    "keeps every confirmed write, applies each push completely or not at all, and does no retry twice",
    async () => {
      for (let round = 0; round < times(40); round += 1) {
        await killAfter(40 + random(160));
        await server.start();
        const gone = await lost(server, ann.session, ledger);
        const { surprises } = ledger;
        expect({ gone, surprises, round, seed }).toEqual({ gone: [], surprises: [], round, seed });
      }
    },
    300_000 * times(1),
  );
});
