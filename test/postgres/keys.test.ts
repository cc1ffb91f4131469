import { afterAll, beforeAll, expect, test } from "bun:test";
import { onPostgres, usePostgres } from "../support/postgres.ts";
import { until } from "../support/replies.ts";
import { commandOn, type OneOfSeveral, readiness, startOn } from "../support/several.ts";

onPostgres("The keys of three servers on one database", () => {
  const postgres = usePostgres();
  let docket: ReturnType<typeof commandOn>;
  let servers: readonly OneOfSeveral[] = [];

  beforeAll(async () => {
    const database = await postgres.database("docket");
    docket = commandOn(database);
    await docket("account", "add", "ann@example.org");
    servers = await Promise.all([1, 2, 3].map(() => startOn(database)));
    await until(async () => {
      const ready = await Promise.all(servers.map(readiness));
      return ready.includes(200) && !ready.includes(null);
    });
  });
  afterAll(() => {
    for (const { child } of servers) child.kill("SIGKILL");
  });

  /** Calls every server that often at once. Returns how often a call was answered with each status. */
  const callAll = async (
    secret: string,
    times: number,
  ): Promise<Readonly<Record<number, number>>> => {
    const headers = { authorization: `Bearer ${secret}` };
    const calls = servers.flatMap(({ url }) =>
      Array.from({ length: times }, () => fetch(`${url}/api/public/v1/tasks`, { headers })),
    );
    const replies = await Promise.all(calls);
    await Promise.all(replies.map((reply) => reply.arrayBuffer()));
    return Object.fromEntries(
      [...Map.groupBy(replies, ({ status }) => status)].map(([status, all]) => [
        status,
        all.length,
      ]),
    );
  };

  test("have exact limits, whichever servers are called: of 200 calls a minute, 60 pass", async () => {
    const secret = await docket("key", "create", "--name", "limited");
    const began = performance.now();
    const { 200: passed = 0, 429: over = 0, 503: standing, ...others } = await callAll(secret, 200);
    // A key gets back one call a second.
    const back = Math.ceil((performance.now() - began) / 1_000);
    expect([passed + over, standing, others]).toEqual([200, 400, {}]);
    expect(passed).toBeGreaterThanOrEqual(60);
    expect(passed).toBeLessThanOrEqual(60 + back);
  });

  test("that a command revokes on another machine are refused at the next call", async () => {
    const secret = await docket("key", "create", "--name", "short");
    const keys = JSON.parse(await docket("key", "list", "--json")) as readonly {
      readonly id: string;
      readonly name: string;
    }[];
    expect(await callAll(secret, 1)).toEqual({ 200: 1, 503: 2 });
    await docket("key", "revoke", keys.find(({ name }) => name === "short")?.id ?? "");
    expect(await callAll(secret, 1)).toEqual({ 401: 1, 503: 2 });
  });
});
