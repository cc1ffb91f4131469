import { expect, test } from "bun:test";
import { DOCKET } from "../support/docket.ts";
import { run, serve } from "../support/program.ts";
import { testDirectory } from "../support/server.ts";

const directory = testDirectory();

test("a health check of this machine does not go through the proxy", async () => {
  const server = await serve(DOCKET, ["--data", directory, "--log", "off"]);
  const nowhere = "http://127.0.0.1:9";
  const env = { DOCKET_URL: server.url, HTTP_PROXY: nowhere, http_proxy: nowhere };
  const { code, err } = await run(DOCKET, ["healthcheck"], { env });
  await server.stop();
  expect([code, err.trim()]).toEqual([0, `${server.url}/healthz answered with status 200.`]);
});

test.each(["::1", "[::1]"])("a server and its health check take the address %s", async (host) => {
  const words = ["--data", directory, "--log", "off", "--host", host];
  const server = await serve(DOCKET, words);
  const { port } = new URL(server.url);
  expect(server.url).toBe(`http://[::1]:${port}`);
  const { code } = await run(DOCKET, ["healthcheck", "--host", host, "--port", port]);
  await server.stop();
  expect(code).toBe(0);
});

test("a health check fails if no server is running", async () => {
  const env = { DOCKET_URL: "http://127.0.0.1:9" };
  const { code, err } = await run(DOCKET, ["healthcheck"], { env });
  expect([code, err.trim()]).toEqual([
    1,
    "http://127.0.0.1:9/healthz did not answer. Check that the server is running.",
  ]);
});
