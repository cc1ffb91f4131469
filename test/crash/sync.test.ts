import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { histories, seed, times } from "../support/histories.ts";
import { processWorld } from "../support/http-worlds.ts";
import {
  makeCredentials,
  makeSession,
  type ServerProcess,
  startServerProcess,
} from "../support/process.ts";
import { testDirectory } from "../support/server.ts";
import { simulate } from "../support/simulate.ts";

describe("a server in a process of its own, killed and started again", () => {
  const directory = testDirectory();
  let key: string;
  let sessions: readonly string[];
  let server: ServerProcess;

  const device = (name: string): Promise<string> => makeSession(directory, name);

  beforeAll(async () => {
    const ann = await makeCredentials(directory);
    key = ann.key;
    sessions = [ann.session, ...(await Promise.all([device("phone"), device("tablet")]))];
    server = await startServerProcess(directory);
  });
  afterAll(() => server.stop("SIGKILL"));

  test(
    "devices that send back server_time end with exactly what the server holds",
    async () => {
      for (const played of fc.sample(histories("backups", 40), { seed, numRuns: times(25) })) {
        const apart = await simulate(processWorld(server, sessions, key), played);
        expect({ apart, played }).toEqual({ apart: [], played });
      }
    },
    120_000 * times(1),
  );
});
