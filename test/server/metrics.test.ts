import { expect, test } from "bun:test";
import { DOCKET } from "../support/docket.ts";
import { run, serve } from "../support/program.ts";
import { freePort } from "../support/postgres.ts";
import { makeCredentials } from "../support/process.ts";
import { change } from "../support/replies.ts";
import { send, testDirectory } from "../support/server.ts";

test("Figures are served at an address of their own, and nowhere else", async () => {
  const data = testDirectory();
  const { session, key } = await makeCredentials(data);
  const address = `127.0.0.1:${freePort()}`;
  const server = await serve(DOCKET, ["--data", data, "--log", "off", "--metrics", address]);
  const api = `${server.url}/api/public/v1`;
  await send("GET", `${api}/tasks`, { token: key });
  await send("GET", `${api}/tasks/none`, { token: key });
  await send("POST", `${api}/sync`, {
    token: session,
    body: [change("sync_tasks", "t1", { title: "milk" })],
  });
  await send("GET", `${api}/sync`, { token: session });
  const answer = await fetch(`http://${address}/metrics`);
  expect(answer.headers.get("content-type")).toBe(
    "application/openmetrics-text; version=1.0.0; charset=utf-8",
  );
  const text = await answer.text();
  const lines = text.split("\n");
  for (const expected of [
    'docket_requests_total{method="GET",route="/api/public/v1/tasks",status="200"} 1',
    'docket_requests_total{method="GET",route="/api/public/v1/tasks/{id}",status="404"} 1',
    'docket_request_seconds_bucket{method="GET",route="/api/public/v1/tasks",le="+Inf"} 1',
    'docket_sync_records_total{what="applied"} 1',
    'docket_sync_records_total{what="pulled"} 1',
    "docket_waiting_calls 0",
    "# EOF",
  ])
    expect(lines).toContain(expected);
  expect(text).toMatch(/^docket_database_bytes [1-9]\d*$/m);
  expect(text).not.toContain("none");
  expect((await fetch(`http://${address}/`)).status).toBe(404);
  expect((await fetch(`${server.url}/metrics`)).status).toBe(404);
  expect(await server.stop()).toBe(0);
});

test("An address without a port is refused", async () => {
  const { code, err } = await run(DOCKET, ["serve", "--metrics", "9362"]);
  expect([code, err]).toEqual([2, expect.stringContaining("such as 127.0.0.1:9362")]);
});

test("An address that is taken is refused, and the data can be opened at once by the next server", async () => {
  const taken = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
  const [data, address] = [testDirectory(), `127.0.0.1:${taken.port}`];
  const words = ["serve", "--port", "0", "--data", data, "--log", "json"];
  const { code, err } = await run(DOCKET, [...words, "--metrics", address]);
  expect([code, err]).toEqual([2, expect.stringContaining("Choose another one for --metrics.")]);
  const server = await serve(DOCKET, ["--data", data, "--log", "json"]);
  expect(server.said()).not.toContain("did not stop cleanly");
  expect(await server.stop()).toBe(0);
  await taken.stop(true);
});
