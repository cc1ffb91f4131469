import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { listScenarios, runScenario } from "../support/conformance.ts";
import { makeCredentials, type ServerProcess, startServerProcess } from "../support/process.ts";
import { buildBinary } from "../support/program.ts";
import { testDirectory } from "../support/server.ts";
import { LEFT, RUN } from "../support/mcp/scenarios.ts";

// Runs the official conformance suite on the executable. The suite cannot send a credential, so a
// proxy adds one.

const directory = testDirectory();
let server: ServerProcess;
let way: ReturnType<typeof withKey>;

beforeAll(async () => {
  const program = await buildBinary();
  const { key } = await makeCredentials(directory);
  server = await startServerProcess(directory, { program });
  way = withKey(server.url(), key);
});

afterAll(async () => {
  await way.stop(true);
  await server.stop("SIGTERM");
});

/** Forwards every request unchanged, with a key added. */
const withKey = (url: string, key: string) =>
  Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: async (request) => {
      const headers = new Headers(request.headers);
      headers.set("authorization", `Bearer ${key}`);
      const { pathname } = new URL(request.url);
      return fetch(url + pathname, {
        method: request.method,
        headers,
        ...(request.body ? { body: await request.bytes() } : {}),
      });
    },
  });

describe.each(Object.entries(RUN))("In revision %s", (revision, scenarios) => {
  test("every scenario is run, or left out for a reason", async () => {
    const listed = [...(await listScenarios())].filter(([, revisions]) =>
      revisions.includes(revision),
    );
    expect(listed.length).toBeGreaterThan(20);
    const names = listed.map(([name]) => name);
    const left = Object.values(LEFT)
      .flat()
      .filter((name) => names.includes(name) && !(name in scenarios));
    expect(names.toSorted()).toEqual([...Object.keys(scenarios), ...left].toSorted());
  });

  test.each(Object.entries(scenarios))("%s passes", async (scenario, unfit) => {
    const url = new URL("/mcp", way.url).href;
    const checks = await runScenario(directory, url, scenario, revision);
    const good = checks.filter(({ status }) => status === "SUCCESS" || status === "INFO");
    const rest = checks.filter((check) => !good.includes(check)).map(({ id }) => id);
    expect(rest.toSorted()).toEqual(unfit.toSorted());
    expect(good.filter(({ status }) => status === "SUCCESS").length).toBeGreaterThan(0);
  });
});
