import fc from "fast-check";
import { MINUTE, SECOND } from "../../src/domain/base/instant.ts";
import { type Table, TABLES } from "../../src/domain/base/record.ts";
import type { Fate, Habits } from "./device.ts";

/** One of a person's devices; not every history has the third. */
export type Which = 0 | 1 | 2;

/** The fields of a task that both a person and an agent may set. */
const FIELDS = ["title", "status", "colour", "project_id", "bucket_id"] as const;

export type Field = (typeof FIELDS)[number];

export type AgentAct = "inbox" | "note" | "patch" | "tabs" | "task";

/** What a person may do to a record on a device. */
export type EditAct =
  | "add note"
  | "add tab"
  | "delete"
  | "move agents' child"
  | "remove agents' child"
  | "remove own child"
  | "send without tabs"
  | "set field"
  | "set field of the extension's";

export type OwnerAct = "restore gone" | "restore version" | "undo";

/** What may happen between a person's devices, two agents, and a server under stress. */
export type Step =
  | {
      readonly do: "edit";
      readonly device: Which;
      readonly act: EditAct;
      readonly table: Table;
      readonly pick: number;
      readonly field: Field;
      readonly value: number;
    }
  | {
      readonly do: "pull";
      readonly device: Which;
      readonly fate: Fate;
      /** Records per page; null for all at once. */
      readonly limit: number | null;
      /** What is written while the pull is being answered. */
      readonly meanwhile: "agent" | "other device" | null;
    }
  /** With `twice`, the network delivers it twice. */
  | {
      readonly do: "push";
      readonly device: Which;
      readonly fate: Fate;
      readonly twice: boolean;
    }
  /** The network delivers an older push again, after others. */
  | { readonly do: "replay"; readonly device: Which; readonly pick: number }
  | {
      readonly do: "agent";
      readonly key: 0 | 1;
      readonly act: AgentAct;
      readonly pick: number;
      readonly field: Field;
      readonly value: number;
    }
  /** A person in the account area. */
  | { readonly do: "owner"; readonly act: OwnerAct; readonly pick: number }
  | { readonly do: "wait"; readonly ms: number }
  /** The server's wall clock is set to the true time plus `off` ms. */
  | { readonly do: "set clock"; readonly off: number }
  | { readonly do: "set device's clock"; readonly device: Which; readonly off: number }
  /** With `off`, the clock is set before the server starts again. */
  | { readonly do: "crash"; readonly off: number | null }
  | { readonly do: "backUp" | "restart" | "restore" };

type Of<Do extends Step["do"]> = Extract<Step, { readonly do: Do }>;

export type History = {
  readonly devices: readonly Habits[];
  readonly steps: readonly Step[];
  /** Milliseconds before each step. */
  readonly pace: number;
  /** Milliseconds between the last syncs, when everything is quiet. */
  readonly pause: number;
};

/** How badly the server is treated. */
export type Fortune = "backups" | "calm" | "crashes" | "devices only";

const device = fc.constantFrom<Which>(0, 0, 1, 1, 2);

const fate = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Fate>("answered") },
  { weight: 2, arbitrary: fc.constant<Fate>("reply lost") },
  { weight: 1, arbitrary: fc.constant<Fate>("request lost") },
);

const table = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Table>("sync_tasks") },
  { weight: 1, arbitrary: fc.constantFrom(...TABLES) },
);

const EDITS = fc.constantFrom<EditAct>(
  ...(["set field", "set field", "set field", "add tab", "add note", "delete"] as const),
  ...(["remove agents' child", "remove agents' child", "remove own child"] as const),
  ...(["move agents' child", "send without tabs", "set field of the extension's"] as const),
);

const ACTS = fc.constantFrom<AgentAct>("task", "tabs", "tabs", "note", "patch", "patch", "inbox");

const OWNER = fc.constantFrom<OwnerAct>("restore gone", "restore version", "undo");

const pick = fc.nat(7);

/** Few values, so that earlier ones are set again. */
const value = fc.nat(2);
const field = fc.constantFrom<Field>("title", "title", ...FIELDS);

/** Zero, so that much happens in one millisecond; moments; the lease's length; minutes. */
const ms = fc.constantFrom(0, 1, 1, 2, 500, SECOND, 5 * SECOND, 11 * SECOND, MINUTE, 6 * MINUTE);

const off = fc.constantFrom(0, -1, -SECOND, -30 * SECOND, -5 * MINUTE, 20 * SECOND, 3 * MINUTE);

const skew = fc.oneof(
  { weight: 3, arbitrary: fc.constant(0) },
  { weight: 1, arbitrary: fc.integer({ min: -5 * MINUTE, max: 5 * MINUTE }) },
  { weight: 1, arbitrary: fc.constantFrom(-5 * MINUTE, -1, 1, 5 * MINUTE, 8 * MINUTE) },
);

const acting = <Name extends Step["do"]>(name: Name) => fc.constant(name);

const weighted = (weight: number, arbitrary: fc.Arbitrary<Step>) => ({ weight, arbitrary });

/** What devices do. `meanwhile` is what may be written while a pull is being answered. */
const devicesDo = (...meanwhile: readonly Of<"pull">["meanwhile"][]) => [
  weighted(7, fc.record({ do: acting("edit"), device, act: EDITS, table, pick, field, value })),
  weighted(
    6,
    fc.record({
      do: acting("pull"),
      device,
      fate,
      limit: fc.constantFrom(null, null, null, 1, 2, 5),
      meanwhile: fc.constantFrom(null, null, ...meanwhile),
    }),
  ),
  weighted(
    6,
    fc.record({ do: acting("push"), device, fate, twice: fc.nat(3).map((die) => die === 0) }),
  ),
  weighted(1, fc.record({ do: acting("replay"), device, pick })),
  weighted(2, fc.record({ do: acting("wait"), ms })),
  weighted(1, fc.record({ do: acting("set clock"), off })),
  weighted(1, fc.record({ do: acting("set device's clock"), device, off })),
];

const WORK = [
  ...devicesDo("agent", "other device"),
  weighted(
    6,
    fc.record({ do: acting("agent"), key: fc.constantFrom(0, 1), act: ACTS, pick, field, value }),
  ),
  weighted(1, fc.record({ do: acting("owner"), act: OWNER, pick })),
];

const CRASHES = [
  weighted(2, fc.record({ do: acting("crash"), off: fc.oneof(off, fc.constant(null)) })),
  weighted(1, fc.record({ do: acting("restart") })),
];

const BACKUPS = [
  ...CRASHES,
  weighted(1, fc.record({ do: acting("backUp") })),
  weighted(2, fc.record({ do: acting("restore") })),
];

const STEPS: Readonly<Record<Fortune, fc.Arbitrary<Step>>> = {
  calm: fc.oneof(...WORK),
  crashes: fc.oneof(...WORK, ...CRASHES),
  backups: fc.oneof(...WORK, ...BACKUPS),
  "devices only": fc.oneof(...devicesDo("other device"), ...CRASHES),
};

const often = fc.nat(3).map((die) => die > 0);

const habits: fc.Arbitrary<Habits> = fc.record({
  skew,
  cursor: fc.constant("server_time"),
  pushesFirst: fc.boolean(),
  namesSince: fc.boolean(),
  acknowledges: often,
  namesBases: fc.boolean(),
  keepsIds: often,
});

/** Histories of up to `longest` steps for a server with this fortune. */
export const histories = (fortune: Fortune, longest: number): fc.Arbitrary<History> =>
  fc.record({
    devices: fc.array(habits, { minLength: 2, maxLength: 3 }),
    steps: fc.array(STEPS[fortune], { minLength: 4, maxLength: longest, size: "max" }),
    pace: fc.constantFrom(0, 1, 1, SECOND),
    pause: fc.constantFrom(0, 10 * MINUTE),
  });

const setting = (name: string, otherwise: number): number => Number(process.env[name] ?? otherwise);

/**
 * Always the same histories, unless you ask for others: `SEED=7 HISTORIES=100 bun test test/sync`.
 */
export const seed = setting("SEED", 20_260_304);

/** How many histories to run: `count` times the value of `HISTORIES`. */
export const times = (count: number): number => Math.ceil(count * setting("HISTORIES", 1));
