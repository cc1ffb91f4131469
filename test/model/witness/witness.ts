import { parseArgs } from "node:util";
import { FAULTS } from "./faults.ts";
import { type History, historyOf, type Options } from "./history.ts";
import { BEYOND, type Finding, type Outcome, play } from "./play.ts";
import { playScript } from "./script.ts";
import { startBinary, startInProcess } from "./server.ts";
import { shrink } from "./shrink.ts";
import { newStage, type Stage } from "./stage.ts";
import { FEATURES, type Feature } from "./steps.ts";

const HELP = `bun witness [--histories N] [--seed S] [--history NUMBER] [--binary FILE] [--show N] [--faults]
  [--only FEATURE,...] [--without FEATURE,...] [--seed-only none|one|all] [--keep-edits] [--names base|rev|nothing]
  [--no-resend]

Plays N histories and says how often something was lost, with the shortest script for the first N (1) of each kind.
--history     begins with the history of this number, as one was printed
--binary      on the compiled program in a process of its own, not on the server in this process
--faults      plays the known faults instead
--seed-only   whether the last device of each history, or all, know the specification alone
--names       what devices name as the version on which they made an edit; those of the specification alone name nothing
--no-resend   devices do not send an unanswered push again as it was, but what they hold now
--keep-edits  devices keep an edit that was made while a pull was on its way, instead of pulling again
Features, each in about 6 of 10 histories: ${FEATURES.join(", ")}.`;

const { values } = parseArgs({
  options: {
    histories: { type: "string", default: "1000" },
    seed: { type: "string", default: "1" },
    history: { type: "string" },
    binary: { type: "string" },
    "seed-only": { type: "string", default: "none" },
    only: { type: "string" },
    without: { type: "string", default: "" },
    "keep-edits": { type: "boolean", default: false },
    names: { type: "string", default: "base" },
    "no-resend": { type: "boolean", default: false },
    show: { type: "string", default: "1" },
    faults: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

const main = async (): Promise<void> => {
  if (values.help) return print(HELP);
  const { binary } = values;
  const stage = await newStage(
    binary === undefined ? startInProcess : (now) => startBinary([binary], now),
  );
  const failed = values.faults ? await playFaults(stage) : await playMany(stage, optionsOf());
  await stage.end();
  process.exitCode = failed > 0 ? 1 : 0;
};

const playFaults = async (stage: Stage): Promise<number> => {
  let failed = 0;
  for (const fault of FAULTS) {
    const { findings } = await stage.play((server, start) => playScript(server, fault, start));
    if (findings.length > 0) failed += 1;
    print(`${fault.number.padEnd(6)} ${fault.what}`);
    print(`       => ${findings.map(({ words }) => words).join(" ") || "Nothing is lost."}`);
  }
  return failed;
};

/** Returns in how many histories something was found. */
const playMany = async (stage: Stage, options: Options): Promise<number> => {
  const [count, seed, show] = [values.histories, values.seed, values.show].map(Number) as Numbers;
  const first = values.history === undefined ? seed * 1_000_003 : Number(values.history);
  if (!Number.isSafeInteger(first + count))
    throw new Error(`The seed ${seed} is too large: several histories would be the same.`);
  const kinds = new Map<Finding["kind"], number>();
  let [failed, tokens, playing] = [0, 0, 0];
  for (let index = 0; index < count; index += 1) {
    const history = historyOf(first + index, options);
    const before = performance.now();
    const outcome = await stage.play((server, start) => play(server, history, start));
    playing += performance.now() - before;
    tokens += outcome.tokens;
    if (outcome.findings.some(({ kind }) => !BEYOND.includes(kind))) failed += 1;
    for (const kind of new Set(outcome.findings.map((finding) => finding.kind))) {
      const found = (kinds.get(kind) ?? 0) + 1;
      kinds.set(kind, found);
      if (found <= show) await showShortest(stage, history, kind);
    }
    if ((index + 1) % 1_000 === 0)
      process.stderr.write(`${index + 1} of ${count}, something was found in ${failed}.\n`);
  }
  const each = [...kinds].map(([kind, found]) => `${kind} in ${found}`).join(", ");
  print(
    `${count} histories, ${tokens} tokens, ${(count / (playing / 1_000)).toFixed(1)} a second.`,
  );
  print(`Something was found in ${failed}${each && `: ${each}`}.`);
  return failed;
};

type Numbers = [count: number, seed: number, show: number];

const showShortest = async (stage: Stage, history: History, kind: Finding["kind"]) => {
  const playOne = (one: History): Promise<Outcome> =>
    stage.play((server, start) => play(server, one, start));
  const shortest = await shrink(history, async (next) =>
    (await playOne(next)).findings.some((finding) => finding.kind === kind),
  );
  const { findings, log } = await playOne(shortest);
  print(`${kind}, seed ${history.seed}:`);
  for (const [name, { skew, knows }] of shortest.devices) {
    if (skew !== 0) print(`  ${name}'s clock is ${skew / 1_000} s off.`);
    if (knows !== "guide") print(`  ${name} knows the ${knows} alone.`);
  }
  for (const line of log) print(`  ${line}`);
  for (const { words } of findings) print(`  => ${words}`);
  print("");
};

const optionsOf = (): Options => {
  const without = featuresOf(values.without);
  const only = values.only === undefined ? FEATURES : featuresOf(values.only);
  const seedOnly = values["seed-only"];
  const { names } = values;
  if (seedOnly !== "none" && seedOnly !== "one" && seedOnly !== "all") throw new Error(HELP);
  if (names !== "base" && names !== "rev" && names !== "nothing") throw new Error(HELP);
  return {
    features: new Set(only.filter((feature) => !without.includes(feature))),
    seedOnly,
    names,
    resends: !values["no-resend"],
    onCollision: values["keep-edits"] ? "keep the edit" : "forget the reply",
  };
};

const featuresOf = (text: string): readonly Feature[] =>
  text
    .split(",")
    .filter((name) => name !== "")
    .map((name) => {
      const feature = FEATURES.find((one) => one === name.trim());
      if (!feature) throw new Error(`There is no feature "${name}". ${HELP}`);
      return feature;
    });

const print = (line: string): void => void process.stdout.write(`${line}\n`);

await main();
