import { expect, test } from "bun:test";
import { FROM_SOURCE, run, serve } from "../support/program.ts";
import { testDirectory } from "../support/server.ts";

const directory = testDirectory();

test("a server on this machine is asked without the proxy that is set for others", async () => {
  const server = await serve(FROM_SOURCE, ["--data", directory, "--log", "off"]);
  const nowhere = "http://127.0.0.1:9";
  const env = { DOCKET_URL: server.url, HTTP_PROXY: nowhere, http_proxy: nowhere };
  const { code, err } = await run(FROM_SOURCE, ["healthcheck"], { env });
  await server.stop();
  expect([code, err.trim()]).toEqual([0, `${server.url}/healthz answers 200.`]);
});

test("a server that is not there does not answer", async () => {
  const env = { DOCKET_URL: "http://127.0.0.1:9" };
  const { code, err } = await run(FROM_SOURCE, ["healthcheck"], { env });
  expect([code, err.trim()]).toEqual([1, "http://127.0.0.1:9/healthz does not answer."]);
});
