import { expect, test } from "bun:test";
import fc from "fast-check";
import { MINUTE } from "../../src/domain/base/instant.ts";
import type { Habits, Temperament } from "../support/device.ts";
import { type History, histories, seed, times } from "../support/histories.ts";
import { simulate } from "../support/simulate.ts";
import { startStoreWorlds, worldDirectory } from "../support/worlds.ts";

const nextWorld = await startStoreWorlds(worldDirectory());

/** Where the devices and the server disagree once everything is quiet again. */
const play = async (history: History, cursor: Temperament): Promise<readonly string[]> => {
  const world = nextWorld();
  const devices = history.devices.map((habits) => ({ ...habits, cursor, acknowledges: true }));
  try {
    // What such devices report of themselves is wrong, so only the end result is checked.
    return await simulate({ ...world, inside: null }, { ...history, devices });
  } finally {
    await world.end();
  }
};

const mistakes: readonly { readonly cursor: Temperament; readonly says: string }[] = [
  { cursor: "updated_at", says: "sends the greatest updated_at it holds" },
  { cursor: "own clock", says: "sends its own clock" },
];

const PLAIN: Habits = {
  skew: 0,
  cursor: "server_time",
  pushesFirst: false,
  namesSince: false,
  acknowledges: true,
  keepsIds: true,
  namesBases: false,
};

const CALM = { fate: "answered", limit: null, meanwhile: null } as const;

const missed: History = {
  devices: [{ ...PLAIN, skew: 4 * MINUTE }, PLAIN],
  steps: [
    {
      do: "edit",
      device: 0,
      act: "set field",
      table: "sync_tasks",
      pick: 0,
      field: "title",
      value: 0,
    },
    { do: "pull", device: 0, ...CALM },
    { do: "agent", key: 0, act: "task", pick: 0, field: "title", value: 0 },
  ],
  pace: 0,
  pause: 5 * MINUTE,
};

test.each(mistakes)(
  "A device that is minutes fast and $says misses what an agent filed",
  async ({ cursor }) => {
    expect(await play(missed, "server_time")).toEqual([]);
    expect(await play(missed, cursor)).toEqual([
      expect.stringMatching(/^device 0 has undefined, the server \{.*"title":"agent-2"/),
    ]);
  },
);

test.each(mistakes)(
  "In some histories a device that $says is left behind",
  async ({ cursor }) => {
    let leftBehind = 0;
    for (const history of fc.sample(histories("backups", 40), { seed, numRuns: times(150) }))
      if ((await play(history, cursor)).length > 0) leftBehind += 1;
    expect(leftBehind).toBeGreaterThan(0);
  },
  60_000 * times(1),
);
