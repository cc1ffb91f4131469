import { afterAll, beforeAll, expect, test } from "bun:test";
import { historyOf } from "../model/witness/history.ts";
import { startGroup } from "../model/witness/group.ts";
import { play } from "../model/witness/play.ts";
import { newStage, type Stage } from "../model/witness/stage.ts";
import { FEATURES } from "../model/witness/steps.ts";
import { NOON } from "../support/server.ts";
import { onPostgres, type Postgres, startPostgres } from "../support/postgres.ts";

/** The histories that are kept, by their seeds: in each, servers are killed and restarted, and data restored. */
const SEEDS = Array.from({ length: 24 }, (_, index) => 37_000 + index);

onPostgres("Devices, agents and a person, whose server is one of three", () => {
  let [postgres, stage] = [null as Postgres | null, null as Stage | null];
  beforeAll(async () => {
    const made = (postgres = await startPostgres());
    stage = await newStage((start) => startGroup(made, start));
  });
  afterAll(async () => {
    await stage?.end();
    await postgres?.end();
  });

  test("server_time never goes back, though the data were put back beside a clock that is behind", async () => {
    const made = await startGroup(postgres as Postgres, NOON);
    const { sessions } = await made.person(["phone"], []);
    const headers = { authorization: `Bearer ${sessions.get("phone")}` };
    const serverTime = async (): Promise<string> => {
      const reply = await fetch(`${made.url()}/api/public/v1/sync`, { headers });
      return ((await reply.json()) as { readonly server_time: string }).server_time;
    };
    const backup = await made.command("backup");
    made.set(NOON + 600_000);
    const before = await serverTime();
    // Each server is up to five minutes off, so the next one is 4 to 14 minutes behind: `docket restored` allows 15.
    made.set(Date.parse(before) - 540_000);
    await made.restore(backup);
    expect(Date.parse(await serverTime())).toBeGreaterThan(Date.parse(before));
    await made.end();
  });

  test.each(SEEDS)("lose nothing: history %p", async (seed) => {
    const history = historyOf(seed, {
      features: new Set(FEATURES),
      every: true,
      names: seed % 2 === 0 ? "base" : "rev",
      seedOnly: "none",
      onCollision: "forget the reply",
      resends: true,
    });
    const found = await stage?.play((server, start) => play(server, history, start));
    expect(found?.findings).toEqual([]);
  });
});
