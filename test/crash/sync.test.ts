import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { history, seed, times } from "../_histories.ts";
import { processWorld } from "../_http_worlds.ts";
import {
  type Credentials,
  makeCredentials,
  type ServerProcess,
  startServerProcess,
} from "../_process.ts";
import { testDirectory } from "../_server.ts";
import { simulate } from "../_simulate.ts";

describe("a server in a process of its own, killed and started again", () => {
  const directory = testDirectory();
  let ann: Credentials;
  let server: ServerProcess;

  beforeAll(async () => {
    ann = await makeCredentials(directory);
    server = await startServerProcess(directory);
  });
  afterAll(() => server.stop("SIGKILL"));

  test(
    "devices that echo server_time end with exactly what the server holds",
    async () => {
      for (const played of fc.sample(history, { seed, numRuns: times(25) })) {
        const left = await simulate(processWorld(server, ann), played, "server_time");
        expect({ left, played }).toEqual({ left: [], played });
      }
    },
    120_000 * times(1),
  );
});
