import { dice } from "../../support/random.ts";
import type { Habits } from "./device.ts";
import type { Act, Feature, Step } from "./steps.ts";
import { inAnyOrder } from "./world.ts";

/** A history as data: who takes part, and what happens. */
export type History = {
  readonly seed: number;
  readonly devices: ReadonlyMap<string, Habits>;
  readonly steps: readonly Step[];
};

export type Options = {
  readonly features: ReadonlySet<Feature>;
  /** How the last device, or all, was written. */
  readonly seedOnly: "all" | "none" | "one";
  readonly onCollision: Habits["onCollision"];
  readonly names: Habits["names"];
  readonly resends: boolean;
  /** Whether each history has all of the features; else it has some. */
  readonly every?: boolean;
};

/** How often each thing happens, compared with the others, and the feature that it needs. */
const ON_DEVICES: readonly (readonly [Act, number, Feature?])[] = [
  ["create", 1],
  ["title", 3],
  ["colour", 3],
  ["set back", 3, "set backs"],
  ["tab", 3],
  ["note", 2],
  ["remove", 4, "removals"],
  ["reorder", 1, "reorders"],
  ["move", 3, "moves"],
  ["delete", 2, "deletions"],
  ["revive", 3, "deletions"],
  ["recall", 3, "recalls"],
  ["push", 4],
  ["push, reply lost", 2, "lost replies"],
  ["push, request lost", 2, "lost requests"],
  ["push again", 2, "repeats"],
  ["push an old one again", 3, "late duplicates"],
  ["push, edit meanwhile", 1, "in flight"],
  ["pull, edit meanwhile", 2, "in flight"],
  ["pull, reply lost", 1, "lost replies"],
  ["sync", 9],
];

const OVER_REST: readonly (readonly [Act, number, Feature?])[] = [
  ["REST task", 1],
  ["REST inbox", 1],
  ["REST title", 2, "fields over REST"],
  ["REST colour", 2, "fields over REST"],
  ["REST tab", 4],
  ["REST note", 2],
];

const ON_SERVER: readonly (readonly [Act, number, Feature])[] = [
  ["kill", 2, "crashes"],
  ["restart", 1, "crashes"],
  ["backup", 2, "restores"],
  ["restore", 2, "restores"],
  ["undo", 2, "undo"],
  ["clock", 2, "server clock"],
];

const DAY = 86_400_000;
const SKEWS = [0, 2_000, -2_000, 240_000, -240_000, 3_600_000, -3_600_000, DAY, -DAY];
const PAUSES = [200, 200, 1_000, 1_000, 5_000, 5_000, 15_000, 60_000, 1_200_000];

/** What a device that knows the specification alone does. */
export const PLAIN = {
  knows: "specification",
  names: "nothing",
  resends: false,
  onCollision: "keep the edit",
} as const;

/** A history for a seed. Each leaves some of the features out, so that each is met without the others too. */
export const historyOf = (
  seed: number,
  { features, seedOnly, onCollision, names, resends, every = false }: Options,
): History => {
  const random = dice(seed);
  const guide = { knows: "guide", names, resends, onCollision } as const;
  const some = <T>(list: readonly T[]): T => list[random(list.length)] as T;
  const on = new Set([...features].filter(() => random(10) < 6 || every));
  const people = ["A", "B", "C"].slice(0, 2 + random(2));
  const devices = new Map(
    people.map((name, index): [string, Habits] => {
      const skew = on.has("device clocks") ? some(SKEWS) : 0;
      const isPlain = seedOnly === "all" || (seedOnly === "one" && index === people.length - 1);
      const limit = (seed + index) % 3 === 0 ? 1 : null;
      return [name, isPlain ? { ...PLAIN, skew, limit } : { ...guide, skew, limit }];
    }),
  );
  const has = ([, , feature]: readonly [Act, number, Feature?]): boolean =>
    feature === undefined || on.has(feature);
  const acts = {
    device: spread(ON_DEVICES.filter(has)),
    REST: spread(OVER_REST.filter(has)),
    server: spread(ON_SERVER.filter(has)),
  };
  const writers = on.has("person over REST") ? ["bot", "cat", "ann"] : ["bot", "cat"];
  const next = (id: number): Step => {
    const kind = random(100);
    const base = { id, after: some(PAUSES), pick: random(1 << 20) };
    if (kind < 6 && acts.server.length > 0) return { ...base, who: "-", act: some(acts.server) };
    if (kind < 28) return { ...base, who: some(writers), act: some(acts.REST) };
    return { ...base, who: some(people), act: some(acts.device) };
  };
  /** Devices come back in any order, and some are edited before they notice the restore. */
  const comeBack = (): readonly Pick<Step, "act" | "who">[] =>
    inAnyOrder(people, random(1 << 20)).flatMap((who) => {
      const edits = some<readonly Act[]>([[], ["title"], ["colour"], ["tab"]]);
      return [...edits, ...some<readonly Act[]>([["sync"], ["sync", "sync"]])].map((act) => ({
        act,
        who,
      }));
    });
  const length = 8 + random(33);
  const first: readonly Step[] = [
    { id: 1, after: 1_000, who: "A", act: "create", pick: 0 },
    { id: 2, after: 1_000, who: "A", act: "sync", pick: 0 },
    { id: 3, after: 1_000, who: "B", act: "sync", pick: 0 },
  ];
  const steps: Step[] = [...first];
  while (steps.length < length + first.length) {
    const step = next(steps.length + 1);
    steps.push(step);
    if (step.act !== "restore" || !on.has("returns in any order")) continue;
    for (const one of comeBack()) steps.push({ ...next(steps.length + 1), ...one });
  }
  return { seed, devices, steps };
};

const spread = (acts: readonly (readonly [Act, number, Feature?])[]): readonly Act[] =>
  acts.flatMap(([act, weight]) => Array.from({ length: weight }, () => act));
