import { beforeAll, expect, test } from "bun:test";
import { loadDriver } from "../../src/db/postgres/connect.ts";
import type { Pool } from "../../src/db/postgres/driver.ts";
import { onPostgres, usePostgres } from "../support/postgres.ts";
import { times } from "../support/random.ts";

const LANES = 40;

/** A test goes on until this many connections were cut, however fast its statements are. */
const CUTS = 10;

const INSERT = "insert into made values ($1)";

const say = (text: string, ...values: readonly unknown[]) => ({ text, values, asLists: true });

/** Cuts a busy connection every few ms, until `CUTS` are cut. Says how many are left to cut. */
const cutting = (pool: Pool): { left: number } => {
  const cuts = { left: CUTS };
  const cut = async (): Promise<void> => {
    while (cuts.left > 0) {
      await Bun.sleep(20);
      const text = `select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'docket' and pid <> pg_backend_pid() and state <> 'idle' order by random() limit 1`;
      cuts.left -= (await pool.query(say(text)).catch(() => null))?.rows.length ?? 0;
    }
  };
  void cut();
  return cuts;
};

onPostgres("The driver, whose statements are sent without waiting for those before,", () => {
  const postgres = usePostgres();
  let url: string;
  beforeAll(async () => {
    url = await postgres.database("docket");
    await postgres.ask(url, "create table made (name text primary key)");
  });

  test("gives each its own answer, or says that it failed, while connections are cut", async () => {
    const { openPool } = await loadDriver();
    const [pool, cutter] = [openPool(url), openPool(url)];
    let [answered, failed] = [0, 0];
    const wrong: unknown[] = [];
    const cuts = cutting(cutter);
    const lane = async (name: number): Promise<void> => {
      for (let at = 0; at < times(500) || cuts.left > 0; at += 1) {
        const value = `${name} ${at} ${"x".repeat(at % 300)}`;
        const sent = say("select $1::text, $2::bigint", value, at);
        const reply = await pool.query(sent).catch(() => null);
        if (reply === null) failed += 1;
        else if (JSON.stringify(reply.rows) === JSON.stringify([[value, at]])) answered += 1;
        else wrong.push([value, reply.rows]);
      }
    };
    await Promise.all(Array.from({ length: LANES }, (_, name) => lane(name)));
    expect(wrong).toEqual([]);
    expect(answered + failed).toBeGreaterThanOrEqual(LANES * times(500));
    // A cut takes at most the one statement of each lane with it.
    expect(failed).toBeGreaterThan(0);
    expect(failed).toBeLessThanOrEqual(CUTS * LANES);
    // It has recovered.
    expect((await pool.query(say("select 1"))).rows).toEqual([[1]]);
    await Promise.all([pool.end(), cutter.end()]);
  });

  test("loses no transaction that it said was committed, and leaves none half done", async () => {
    const { openPool } = await loadDriver();
    const [pool, cutter] = [openPool(url), openPool(url)];
    const committed: string[] = [];
    const cuts = cutting(cutter);
    const lane = async (name: number): Promise<void> => {
      for (let at = 0; at < times(100) || cuts.left > 0; at += 1) {
        const pair = [`${name} ${at} a`, `${name} ${at} b`] as const;
        const connection = await pool.connect().catch(() => null);
        if (connection === null) continue;
        const sent = [say("begin"), say(INSERT, pair[0]), say(INSERT, pair[1]), say("commit")];
        const done = await Promise.allSettled(sent.map((one) => connection.query(one)));
        const isDone = done.every(({ status }) => status === "fulfilled");
        connection.release(!isDone);
        if (isDone) committed.push(...pair);
      }
    };
    await Promise.all(Array.from({ length: LANES }, (_, name) => lane(name)));
    const there = new Set((await postgres.ask(url, "select name from made")).split("\n"));
    expect(committed.length).toBeGreaterThan(100);
    expect(committed.filter((name) => !there.has(name))).toEqual([]);
    const halves = [...there].filter((name) => !there.has(name.replace(/[ab]$/, otherHalf)));
    expect(halves).toEqual([]);
    await Promise.all([pool.end(), cutter.end()]);
  });
});

const otherHalf = (half: string): string => (half === "a" ? "b" : "a");
