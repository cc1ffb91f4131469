import { describe, expect, test } from "bun:test";
import { startSandboxClock } from "../../src/sandbox/clock.ts";
import { SANDBOX_SECRETS } from "../../src/sandbox/account.ts";
import { NOON, testClock } from "../support/server.ts";
import { ask, startSandbox } from "../support/sandbox/sandbox.ts";

describe("The clock of a sandbox", () => {
  test("runs like the real one, until it is set, moved on or stopped", () => {
    const real = testClock();
    const clock = startSandboxClock(real);
    const read = () => [clock.wall() - NOON, clock.steady()];
    real.advance(10);
    expect(read()).toEqual([10, 1_010]);
    clock.set(NOON - 5_000);
    expect(read()).toEqual([-5_000, 1_010]);
    real.advance(10);
    expect(read()).toEqual([-4_990, 1_020]);
    clock.advance(60_000);
    expect(read()).toEqual([55_010, 61_020]);
    clock.stop();
    real.advance(500);
    expect([...read(), clock.isStopped()]).toEqual([55_010, 61_020, true]);
    clock.advance(1);
    clock.run();
    real.advance(5);
    expect([...read(), clock.isStopped()]).toEqual([55_016, 61_026, false]);
  });

  test("measures whole milliseconds while it is stopped, whatever the real one says", () => {
    let steady = 26_391.480_723;
    const clock = startSandboxClock({ wall: () => NOON, steady: () => steady });
    steady += 12.7;
    clock.stop();
    const start = clock.steady();
    clock.advance(59_000);
    expect([clock.steady() - start, Number.isInteger(start)]).toEqual([59_000, true]);
  });

  test("does not follow when the real clock is set", () => {
    const real = testClock();
    const clock = startSandboxClock(real);
    real.set(NOON + 3_600_000);
    expect(clock.wall()).toBe(NOON);
  });

  test("gives whole milliseconds, and loses none when it is read often", () => {
    let steady = 0;
    const clock = startSandboxClock({ wall: () => NOON, steady: () => steady });
    for (let n = 0; n < 100; n++) {
      steady += 0.3;
      clock.advance(0);
      expect(Number.isInteger(clock.wall())).toBe(true);
    }
    expect(clock.wall() - NOON).toBeGreaterThanOrEqual(29);
  });
});

const { url } = await startSandbox();
const setClock = (body: unknown) => ask(url, "!/sandbox/clock", { token: null, body });

describe("/sandbox/clock", () => {
  test("sets what the server takes for now", async () => {
    const now = "2030-01-31T09:30:00.000Z";
    const set = await setClock({ now: "2030-01-31T10:30:00+01:00", stopped: true });
    expect([set.status, set.json]).toEqual([200, { now, stopped: true }]);
    expect((await ask(url, "!/sandbox/clock", { token: null })).json).toEqual(set.json);
    const key = SANDBOX_SECRETS.DOCKET_API_KEY;
    const made = await ask(url, "/tasks", { token: key, body: { title: "In 2030" } });
    expect(made.json.created_at).toBe(now);
    expect((await setClock({ advance: "90s" })).json.now).toBe("2030-01-31T09:31:30.000Z");
  });

  test("lets the minute of the rate limit pass", async () => {
    const token = SANDBOX_SECRETS.DOCKET_READ_KEY;
    await setClock({ stopped: true });
    let last = await ask(url, "/me", { token });
    for (let n = 0; n < 60; n++) last = await ask(url, "/me", { token });
    expect([last.status, last.headers.get("retry-after")]).toEqual([429, "60"]);
    await setClock({ advance: "59s" });
    expect((await ask(url, "/me", { token })).headers.get("retry-after")).toBe("1");
    await setClock({ advance: "1s" });
    expect((await ask(url, "/me", { token })).status).toBe(200);
  });

  test("lets a session expire, and setting the clock back revives it", async () => {
    const now = new Date().toISOString();
    await setClock({ now, stopped: true });
    expect((await ask(url, "/me")).status).toBe(200);
    await setClock({ advance: "30d" });
    expect((await ask(url, "/me")).status).toBe(401);
    await setClock({ now });
    expect((await ask(url, "/me")).status).toBe(200);
  });

  test.each([
    [{}, "Send an object with one or more of these fields: now, advance, stopped."],
    [[], "Send an object with one or more of these fields: now, advance, stopped."],
    [null, "Send an object with one or more of these fields: now, advance, stopped."],
    [{ when: 1 }, "Send an object with one or more of these fields: now, advance, stopped."],
    [{ now: "noon" }, "now must be an RFC 3339 time, such as 2026-01-31T09:30:00.000Z."],
    [{ now: 0 }, "now must be an RFC 3339 time, such as 2026-01-31T09:30:00.000Z."],
    [{ advance: "1w" }, "advance must be a length of time, such as 30s, 15m, 12h or 90d."],
    [{ advance: 60 }, "advance must be a length of time, such as 30s, 15m, 12h or 90d."],
    [
      { now: "9999-12-31T00:00:00Z", advance: "2d" },
      "advance must be a length of time, such as 30s, 15m, 12h or 90d.",
    ],
    [{ stopped: "yes", advance: "1d" }, "stopped must be true or false."],
  ])("refuses %j and changes nothing", async (body, error) => {
    await setClock({ stopped: true });
    const before = (await ask(url, "!/sandbox/clock")).json;
    const refused = await setClock(body);
    expect([refused.status, refused.json]).toEqual([422, { error }]);
    expect((await ask(url, "!/sandbox/clock")).json).toEqual(before);
  });

  test("is closed to pages of other sites", async () => {
    const body = '{"advance": "1d"}';
    const path = "!/sandbox/clock";
    const simple = await ask(url, path, { body, headers: { "content-type": "text/plain" } });
    expect([simple.status, simple.json]).toEqual([
      415,
      { error: "Send JSON, with Content-Type: application/json." },
    ]);
    const rebound = await ask(url, path, { body, headers: { host: "evil.example" } });
    expect(rebound.status).toBe(421);
    expect((await ask(url, path, { body: "{" })).json).toEqual({ error: "The body is not JSON." });
    const asked = await ask(url, path, {
      method: "OPTIONS",
      headers: { origin: "https://x.example" },
    });
    expect(asked.headers.get("access-control-allow-origin")).toBeNull();
  });
});
