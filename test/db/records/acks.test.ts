import { expect, test } from "bun:test";
import { join } from "node:path";
import { formatInstant } from "../../../src/domain/base/instant.ts";
import { type Row, valuesIn, type Wire } from "../../support/client.ts";
import type { World } from "../../support/world.ts";
import { startStoreWorlds, worldDirectory } from "../../support/worlds.ts";

const nextWorld = await startStoreWorlds(join(worldDirectory(), "acks"));

const PHONE = 0;
const LAPTOP = 1;

/** ann's task t, into which her bot filed a tab. A second passes before each act. */
const meeting = async () => {
  const world = nextWorld();
  const at = (): string => {
    world.wait(1_000);
    return formatInstant(world.time());
  };
  const task = (payload: object): Row => ({
    table: "sync_tasks",
    id: "t",
    updated_at: at(),
    deleted_at: null,
    payload: { ...payload },
  });
  const wire = (device: 0 | 1, meanwhile = async (): Promise<void> => {}): Wire =>
    world.wire(device, meanwhile);
  await wire(LAPTOP).push([task({ title: "milk" })]);
  const agent = async (what: "other tab" | "patch" | "tabs"): Promise<void> => {
    at();
    const act = what === "other tab" ? "tabs" : what;
    const text = what === "other tab" ? "agent-2" : "agent-1";
    const call = { key: 0, act, task: "t", text, field: "title", value: "tea" } as const;
    await world.agent(call);
  };
  await agent("tabs");
  at();
  return { world, wire, task, agent };
};

const urls = async (world: World): Promise<readonly string[]> =>
  (await world.stored()).flatMap((row) => valuesIn(row));

const TAB = "https://example.org/agent-1";
const OTHER_TAB = "https://example.org/agent-2";

/** Whether a push without the tab removes it, which means that the phone is known to have had it. */
const takesAway = async (world: World, phone: Wire, row: Row, since?: string): Promise<boolean> => {
  await phone.push([row], since);
  return !(await urls(world)).includes(TAB);
};

test("A change made while a pull is read is not part of it, and the pull proves nothing about it", async () => {
  const { world, wire, task, agent } = await meeting();
  const torn = await wire(PHONE, () => agent("patch")).pull(null, null);
  expect(torn.changes.sync_tasks).toEqual([]);
  expect(await takesAway(world, wire(PHONE), task({ title: "bread" }), torn.server_time)).toBe(
    false,
  );
  const whole = await wire(PHONE).pull(torn.server_time, null);
  expect(whole.changes.sync_tasks).toMatchObject([{ payload: { title: "bread" } }]);
  expect(await takesAway(world, wire(PHONE), task({ title: "bread" }), whole.server_time)).toBe(
    true,
  );
  await world.end();
});

test("What a device has stored is still known after a restart", async () => {
  const { world, wire, task } = await meeting();
  const { server_time } = await wire(PHONE).pull(null, null);
  await wire(PHONE).pull(server_time, null);
  await world.restart();
  expect(await takesAway(world, wire(PHONE), task({ title: "bread" }))).toBe(true);
  await world.end();
});

test("What a crash loses makes the server more careful: it never assumes that a device has more than it does", async () => {
  const { world, wire, task } = await meeting();
  const { server_time } = await wire(PHONE).pull(null, null);
  await wire(PHONE).pull(server_time, null);
  await world.restart();
  // The phone was set up again: it has nothing, and a crash right after this must not lose that.
  await wire(PHONE).pull(null, null);
  await world.crash();
  expect(await takesAway(world, wire(PHONE), task({ title: "bread" }))).toBe(false);
  await world.end();
});

test("An edit from before the only delivery that a crash left known takes nothing away", async () => {
  const { world, wire, task, agent } = await meeting();
  const { server_time } = await wire(PHONE).pull(null, null);
  const [before] = await world.stored();
  const edited = task({ ...before?.payload, mark: 1 });
  await world.crash();
  await agent("other tab");
  world.wait(1_000);
  const next = await wire(PHONE).pull(server_time, null);
  world.wait(1_000);
  await wire(PHONE).push([edited], next.server_time);
  expect(await urls(world)).toEqual([TAB, OTHER_TAB]);
  await world.end();
});

test("One device's ack says nothing about another device", async () => {
  const { world, wire, task } = await meeting();
  const { server_time } = await wire(PHONE).pull(null, null);
  await wire(PHONE).pull(server_time, null);
  expect(await takesAway(world, wire(LAPTOP), task({ title: "bread" }), server_time)).toBe(false);
  expect(await takesAway(world, wire(PHONE), task({ title: "bread" }))).toBe(true);
  await world.end();
});
