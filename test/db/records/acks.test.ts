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
  const agent = async (act: "patch" | "tabs", text = "agent-1"): Promise<void> => {
    at();
    const call = { key: 0, act, task: "t", text, field: "title", value: "tea" } as const;
    await world.agent(call);
  };
  await agent("tabs");
  at();
  /** The phone sends an edit only after a pull that came later than the edit. */
  const pushLate = async (edited: Row, since: string): Promise<void> => {
    world.wait(1_000);
    const { server_time } = await wire(PHONE).pull(since, null);
    world.wait(1_000);
    await wire(PHONE).push([edited], server_time);
  };
  return { world, wire, task, agent, pushLate };
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
  const { world, wire, task, agent, pushLate } = await meeting();
  const { server_time } = await wire(PHONE).pull(null, null);
  const [before] = await world.stored();
  const edited = task({ ...before?.payload, mark: 1 });
  await world.crash();
  await agent("tabs", "agent-2");
  await pushLate(edited, server_time);
  expect(await urls(world)).toEqual([TAB, OTHER_TAB]);
  await world.end();
});

test("An edit on a version that only a lost delivery brought takes nothing away that came after it", async () => {
  const { world, wire, task, agent, pushLate } = await meeting();
  const known = await wire(PHONE).pull(null, null);
  await wire(PHONE).pull(known.server_time, null);
  await world.restart();
  await agent("patch");
  await agent("tabs", "agent-2");
  world.wait(1_000);
  const lost = await wire(PHONE).pull(known.server_time, null);
  const [before] = await world.stored();
  const edited = task({ ...before?.payload, mark: 1 });
  await world.crash();
  await agent("tabs", "agent-3");
  await pushLate(edited, lost.server_time);
  expect(await urls(world)).toEqual([TAB, OTHER_TAB, "https://example.org/agent-3"]);
  await world.end();
});

test("An edit on a version that the first page brought takes nothing away that the next page brings", async () => {
  const { world, wire, task, agent, pushLate } = await meeting();
  const known = await wire(PHONE).pull(null, null);
  await agent("patch");
  await agent("tabs", "agent-2");
  await wire(LAPTOP).push([{ ...task({ title: "soap" }), id: "other" }]);
  world.wait(1_000);
  const first = await wire(PHONE).pull(known.server_time, 1);
  expect([first.changes.sync_tasks.map(({ id }) => id), first.has_more]).toEqual([["t"], true]);
  const edited = task({ ...first.changes.sync_tasks[0]?.payload, mark: 1 });
  await agent("tabs", "agent-3");
  await pushLate(edited, first.server_time);
  expect(await urls(world)).toEqual([TAB, OTHER_TAB, "https://example.org/agent-3"]);
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
