import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { realpathSync } from "node:fs";
import { connect } from "node:net";
import { startProcess } from "../support/db/process.ts";
import { type Flight, isListening, requestText, takeOff } from "../support/flight.ts";
import {
  type Credentials,
  makeCredentials,
  query,
  type ServerProcess,
  startServerProcess,
} from "../support/process.ts";
import { DOCKET } from "../support/docket.ts";
import { plainEnvironment, run, serve } from "../support/program.ts";
import { send, startServer, testDirectory } from "../support/server.ts";

describe("a server in a process of its own", () => {
  const directory = realpathSync(testDirectory());
  let ann: Credentials;
  let server: ServerProcess;

  beforeAll(async () => {
    ann = await makeCredentials(directory);
    server = await startServerProcess(directory);
  });
  afterAll(() => server.stop("SIGKILL"));

  test("a second server on the same data says why it cannot start, and the first keeps running", async () => {
    const words = ["serve", "--port", "0", "--data", directory];
    expect(await run(DOCKET, words)).toEqual({
      code: 1,
      out: "",
      err:
        `docket: Another Docket server (process ${server.pid()}) is using ${directory}. ` +
        "Stop it first, or choose another directory with --data.\n",
    });
    expect((await send("GET", `${server.url()}/readyz`)).json).toEqual({ status: "ready" });
  });

  test("on SIGTERM, requests in progress are answered, then the server exits with 0", async () => {
    const url = server.url();
    const { json: pulled } = await send("GET", `${url}/api/public/v1/sync`, { token: ann.session });
    const other = await startProcess("hold the write lock", directory);
    const updated_at = pulled.server_time as string;
    const push = [{ table: "sync_tasks", id: "t1", updated_at, payload: { title: "pushed" } }];
    const flights = [
      await takeOff(url, requestText("/sync", ann.session, push)),
      await takeOff(url, requestText("/tasks", ann.key, { title: "filed" })),
    ];
    // These are sent later on their own connections: once they are answered, the server has the others.
    for (let asked = 0; asked < 2; asked += 1) await send("GET", `${url}/healthz`);
    const ended = server.stop("SIGTERM");
    while (await isListening(url));
    await other.end();
    const [pushed = "", filed = ""] = await Promise.all(flights.map(({ reply }) => reply));
    expect(pushed).toStartWith("HTTP/1.1 200 ");
    expect(pushed).toEndWith('"rejected":[],"merged":[],"invalid":[]}');
    expect(filed).toStartWith("HTTP/1.1 201 ");
    expect(await ended).toBe(0);
    const titles = query(directory, "SELECT title FROM record ORDER BY title");
    expect(titles).toEqual([{ title: "filed" }, { title: "pushed" }]);
  });

  test("after a clean stop, no time in the future is reserved, and the next start continues from there", async () => {
    await server.start();
    const { json: pulled } = await send("GET", `${server.url()}/api/public/v1/sync`, {
      token: ann.session,
    });
    expect(await server.stop("SIGTERM")).toBe(0);
    const [clock] = query<{ lease: number; hw: number }>(
      directory,
      "SELECT (SELECT lease FROM server) AS lease, (SELECT max(hw) FROM account) AS hw",
    );
    expect(clock?.lease).toBe(Date.parse(pulled.server_time as string));
    expect(clock?.lease).toBeGreaterThanOrEqual(clock?.hw ?? 0);
  });
});

test("An idle connection that a browser keeps open does not delay the stop", async () => {
  const data = testDirectory();
  const server = await serve(DOCKET, ["--data", data]);
  const { hostname, port } = new URL(server.url);
  const kept = connect({ host: hostname, port: Number(port) });
  const closed = new Promise((resolve) => kept.once("close", resolve));
  // Bun closes younger connections at once, and would wait about ten seconds for older ones.
  await Bun.sleep(1_500);
  const asked = performance.now();
  expect(await server.stop()).toBe(0);
  await closed;
  expect(performance.now() - asked).toBeLessThan(6_000);
});

test("The server keeps running if its reader stops after the first line", async () => {
  const data = testDirectory();
  const server = Bun.spawn([...DOCKET, "serve", "--port", "0", "--data", data, "--log", "json"], {
    env: plainEnvironment(),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "ignore",
  });
  const reader = server.stdout.getReader();
  const first = new TextDecoder().decode((await reader.read()).value);
  await reader.cancel();
  const url = /listening on (\S+)/.exec(first)?.[1] ?? "";
  // Meanwhile it prints the set-up link, which nobody reads.
  await Bun.sleep(500);
  expect((await send("GET", `${url}/healthz`)).status).toBe(200);
  server.kill("SIGTERM");
  expect(await server.exited).toBe(0);
});

test("A stalled reader of the log does not delay the stop", async () => {
  const words = [...DOCKET, "serve", "--port", "0", "--data", testDirectory(), "--log", "json"];
  // The log goes into a pipe that stays open and is never read. It holds 64 KiB.
  const server = Bun.spawn(["bash", "-c", 'exec "$@" 2> >(exec sleep 20)', "bash", ...words], {
    env: plainEnvironment(),
    stdin: "ignore",
    stdout: "pipe",
  });
  const first = new TextDecoder().decode((await server.stdout.getReader().read()).value);
  const url = /listening on (\S+)/.exec(first)?.[1] ?? "";
  for (let asked = 0; asked < 1_000; asked += 1) await (await fetch(`${url}/healthz`)).text();
  const asked = performance.now();
  server.kill("SIGTERM");
  expect(await server.exited).toBe(0);
  expect(performance.now() - asked).toBeLessThan(10_000);
});

test("A caller who never finishes a request cannot keep the server from stopping", async () => {
  const server = await startServer();
  const { session } = await server.person();
  const text = requestText("/sync", session, [{}, {}]);
  const stalled: Flight = await takeOff(server.url, text.slice(0, -3));
  await server.call("GET", "!/healthz");
  await server.stop();
  expect(await stalled.reply).toBe("");
});
