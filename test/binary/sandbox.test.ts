import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { SANDBOX_SECRETS } from "../../src/sandbox/account.ts";
import { buildBinary, run, type Running, serve } from "../support/program.ts";
import { testDirectory } from "../support/server.ts";
import { ask, startSandbox } from "../support/sandbox/sandbox.ts";

const WISHES = ["401", "403", "429", "503", "stale", "slow; ms=50000", "cut", "garbage", "html"];

describe("The executable without --sandbox", () => {
  let server: Running;
  let token: string;

  beforeAll(async () => {
    const binary = await buildBinary();
    const data = ["--data", testDirectory()];
    await run(binary, ["account", "add", "ann@example.org", ...data]);
    token = (await run(binary, ["session", "create", ...data])).out.trim();
    server = await serve(binary, [...data, "--log", "off"]);
  });

  afterAll(() => server.stop());

  test.each([...WISHES, "nonsense"])(
    "does not know the header Docket-Sandbox: %s",
    async (wish) => {
      const record = { table: "sync_tasks", id: wish, updated_at: "2026-03-04T12:00:00Z" };
      const body = [{ ...record, payload: { title: wish } }];
      const pushed = await ask(server.url, "/sync", { token, wish, body });
      expect([pushed.status, pushed.json]).toEqual([
        200,
        { applied: 1, revs: expect.any(Array), rejected: [], merged: [], invalid: [] },
      ]);
      expect(pushed.headers.get("docket-sandbox")).toBeNull();
    },
  );

  test("has no clock that can be set", async () => {
    const set = { body: { now: "2030-01-01T00:00:00Z" }, token };
    const nowhere = { error: "There is nothing at /sandbox/clock." };
    for (const asked of [{ token }, set]) {
      const { status, json } = await ask(server.url, "!/sandbox/clock", asked);
      expect([status, json]).toEqual([404, nowhere]);
    }
    const { server_time } = (await ask(server.url, "/sync", { token })).json;
    expect(server_time < "2030").toBe(true);
  });

  test("does not let a page of another origin send the header", async () => {
    const headers = { origin: "https://x.example" };
    const asked = await ask(server.url, "/me", { method: "OPTIONS", headers });
    expect(asked.headers.get("access-control-allow-headers")).not.toContain("Docket-Sandbox");
  });

  test.each(Object.entries(SANDBOX_SECRETS))("refuses the sandbox's %s", async (_name, secret) => {
    expect((await ask(server.url, "/me", { token: secret })).status).toBe(401);
  });

  test("cannot be made a sandbox by a variable", async () => {
    const env = { DOCKET_SANDBOX: "1" };
    const { code, err } = await run(await buildBinary(), ["serve"], { env });
    expect([code, err]).toEqual([
      2,
      "docket: There is no setting DOCKET_SANDBOX. Correct its name or unset it. `docket help` lists all settings.\n",
    ]);
  });
});

describe("The executable with --sandbox", () => {
  test("forces replies and sets its clock", async () => {
    const { url } = await startSandbox([], await buildBinary());
    expect((await ask(url, "/me", { wish: "503; retry-after=2" })).status).toBe(503);
    const set = await ask(url, "!/sandbox/clock", { body: { now: "2030-01-01T00:00:00Z" } });
    expect(set.json.now).toStartWith("2030-01-01T00:00:0");
  });
});
