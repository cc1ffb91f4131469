import fc from "fast-check";
import { MINUTE, SECOND } from "../src/instant.ts";
import { type Table, TABLES } from "../src/record.ts";
import type { Fate } from "./_client.ts";

/** One of a person's two devices. */
export type Which = 0 | 1;

export type AgentAct = "inbox" | "note" | "patch" | "tabs" | "task";

/** What may happen between a person's two devices, an agent, and a server that is not spared. */
export type Step =
  | {
      readonly do: "edit";
      readonly device: Which;
      readonly table: Table;
      readonly pick: number;
      readonly deleted: boolean;
    }
  | {
      readonly do: "pull";
      readonly device: Which;
      readonly fate: Fate;
      /** Records in a page, null for all at once. */
      readonly limit: number | null;
      /** What is written while the pull is being answered. */
      readonly meanwhile: "agent" | "other device" | null;
    }
  | { readonly do: "push"; readonly device: Which; readonly fate: Fate }
  | { readonly do: "agent"; readonly act: AgentAct; readonly pick: number }
  | { readonly do: "wait"; readonly ms: number }
  /** The server's wall clock is set: what it shows afterwards, compared with the true time. */
  | { readonly do: "set clock"; readonly off: number }
  /** With `off`, the clock is set before the server starts again. */
  | { readonly do: "crash"; readonly off: number | null }
  | { readonly do: "backUp" | "restart" | "restore" };

export type History = {
  /** How far each device's own clock is off, in ms. */
  readonly skews: readonly [number, number];
  readonly steps: readonly Step[];
  /** ms that pass between the last syncs, when all is quiet. */
  readonly pause: number;
};

const device = fc.constantFrom<Which>(0, 1);

const fate = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Fate>("answered") },
  { weight: 2, arbitrary: fc.constant<Fate>("reply lost") },
  { weight: 1, arbitrary: fc.constant<Fate>("request lost") },
);

const table = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Table>("sync_tasks") },
  { weight: 1, arbitrary: fc.constantFrom(...TABLES) },
);

const act = fc.constantFrom<AgentAct>("task", "tabs", "note", "patch", "inbox");

const pick = fc.nat(7);

/** Nothing at all, so that much happens in one millisecond; moments; the lease's length; minutes. */
const ms = fc.constantFrom(0, 1, 2, 500, SECOND, 5 * SECOND, 11 * SECOND, MINUTE, 6 * MINUTE);

const off = fc.constantFrom(0, -1, -SECOND, -30 * SECOND, -5 * MINUTE, 20 * SECOND, 3 * MINUTE);

const skew = fc.oneof(
  fc.constant(0),
  fc.integer({ min: -5 * MINUTE, max: 5 * MINUTE }),
  fc.constantFrom(-5 * MINUTE, -1, 1, 5 * MINUTE),
);

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("edit" as const),
      device,
      table,
      pick,
      deleted: fc.nat(4).map((die) => die === 0),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("pull" as const),
      device,
      fate,
      limit: fc.constantFrom(null, null, 1, 2, 5),
      meanwhile: fc.constantFrom(null, "agent" as const, "other device" as const),
    }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constant("push" as const), device, fate }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("agent" as const), act, pick }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("wait" as const), ms }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("set clock" as const), off }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("crash" as const), off: fc.option(off, { freq: 1 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom(
        "restart" as const,
        "restart" as const,
        "backUp" as const,
        "restore" as const,
      ),
    }),
  },
);

export const history: fc.Arbitrary<History> = fc.record({
  skews: fc.tuple(skew, skew),
  steps: fc.array(step, { minLength: 4, maxLength: 40, size: "max" }),
  pause: fc.constantFrom(0, 10 * MINUTE),
});

const setting = (name: string, otherwise: number): number => Number(process.env[name] ?? otherwise);

/** Always the same histories, unless asked for others: `SEED=7 HISTORIES=100 bun test test/sync`. */
export const seed = setting("SEED", 20_260_304);

/** How many histories to run: `count` of them, times what `HISTORIES` says. */
export const times = (count: number): number => Math.ceil(count * setting("HISTORIES", 1));
