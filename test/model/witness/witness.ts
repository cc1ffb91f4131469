import { parseArgs } from "node:util";
import { historyOf, type Options } from "./_history.ts";
import { type Finding, play } from "./_play.ts";
import { type Server, startBinary, startInProcess } from "./_server.ts";
import { shrink } from "./_shrink.ts";
import { FEATURES, type Feature } from "./_steps.ts";

// Plays many histories and prints the shortest script of each kind of loss. See --help.

const HELP = `bun test/model/witness/witness.ts [--histories N] [--seed S] [--binary FILE] [--seed-only none|one|all]
  [--only FEATURE,...] [--without FEATURE,...] [--keep-edits] [--show N] [--workers N]

Features: ${FEATURES.join(", ")}.
--keep-edits: devices keep an edit made while a pull is on its way, instead of pulling again.
--show N: how many scripts to print for each kind of finding. 1 unless said otherwise.`;

const START = Date.parse("2026-03-04T12:00:00.000Z");
const DAYS = 3 * 86_400_000;

/** A new server after so many histories, so that none gets slow. */
const PER_SERVER = 250;

const { values } = parseArgs({
  options: {
    histories: { type: "string", default: "1000" },
    seed: { type: "string", default: "1" },
    binary: { type: "string" },
    "seed-only": { type: "string", default: "none" },
    only: { type: "string" },
    without: { type: "string", default: "" },
    "keep-edits": { type: "boolean", default: false },
    show: { type: "string", default: "1" },
    needs: { type: "string" },
    help: { type: "boolean", default: false },
  },
});

const namesOf = (text: string): readonly Feature[] =>
  text
    .split(",")
    .filter((name) => name !== "")
    .map((name) => {
      const feature = FEATURES.find((one) => one === name.trim());
      if (!feature) throw new Error(`There is no feature "${name}". ${HELP}`);
      return feature;
    });

const optionsOf = (): Options => {
  const without = namesOf(values.without);
  const only = values.only === undefined ? FEATURES : namesOf(values.only);
  const seedOnly = values["seed-only"];
  if (seedOnly !== "none" && seedOnly !== "one" && seedOnly !== "all") throw new Error(HELP);
  return {
    features: new Set(only.filter((feature) => !without.includes(feature))),
    seedOnly,
    onCollision: values["keep-edits"] ? "keep the edit" : "forget the reply",
  };
};

const newServer = (): Promise<Server> =>
  values.binary === undefined ? startInProcess(START) : startBinary([values.binary], START);

/** Histories follow one another on one server, days apart, each in an account of its own. */
const newStage = async () => {
  let server = await newServer();
  let played = 0;
  return {
    play: async (history: Parameters<typeof play>[1]) => {
      if (played >= PER_SERVER) {
        await server.end();
        server = await newServer();
        played = 0;
      }
      return play(server, history, START + DAYS * (played += 1));
    },
    end: () => server.end(),
  };
};

const main = async (): Promise<void> => {
  if (values.help) return print(HELP);
  const options = optionsOf();
  const [histories, seed, show] = [values.histories, values.seed, values.show].map(Number);
  const stage = await newStage();
  const started = performance.now();
  const count = { failed: 0, tokens: 0, shrinking: 0 };
  const kinds = new Map<Finding["kind"], number>();
  for (let index = 0; index < (histories ?? 0); index += 1) {
    const history = historyOf((seed ?? 1) * 1_000_003 + index, options);
    const { findings, tokens } = await stage.play(history);
    count.tokens += tokens;
    if (findings.length > 0) count.failed += 1;
    for (const kind of new Set(findings.map((finding) => finding.kind))) {
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
      if (shown >= (show ?? 1)) continue;
      const before = performance.now();
      const shortest = await shrink(history, async (next) =>
        (await stage.play(next)).findings.some((finding) => finding.kind === kind),
      );
      const outcome = await stage.play(shortest);
      print(`\n${kind}, seed ${history.seed}:`);
      for (const [name, { skew, knows }] of shortest.devices)
        if (skew !== 0 || knows !== "guide") print(`  ${name}: clock ${skew / 1_000} s off, knows the ${knows}`);
      for (const line of outcome.log) print(`  ${line}`);
      for (const finding of outcome.findings) print(`  => ${finding.kind}: ${finding.words}`);
      count.shrinking += performance.now() - before;
    }
  }
  const seconds = (performance.now() - started - count.shrinking) / 1_000;
  const rate = ((histories ?? 0) / seconds).toFixed(1);
  print(`\n${histories} histories, ${count.tokens} tokens, ${rate} histories/s.`);
  print(`${count.failed} histories with findings${[...kinds].map(([kind, n]) => `; ${kind}: ${n}`).join("")}.`);
  await stage.end();
  process.exitCode = count.failed > 0 ? 1 : 0;
};

const print = (line: string): void => void process.stdout.write(`${line}\n`);

await main();
