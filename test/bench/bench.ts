import { join } from "node:path";
import { parseArgs } from "node:util";
import { DESK, runBench } from "./_bench.ts";
import { besideTable, measureBeside } from "./_beside.ts";
import { chart } from "./_chart.ts";
import { machine } from "./_machine.ts";
import { startGenerator } from "./_load.ts";
import { startProgress } from "./_progress.ts";
import { shown, table } from "./_report.ts";
import { COMPILED, compileFloors, FOLDER } from "./_servers.ts";

// bun run bench [--only list,pull,...] [--rounds 7] [--quick]
// bun run bench --beside FILE     this build beside another executable of Docket, by processor time

const { values } = parseArgs({
  options: {
    beside: { type: "string" },
    only: { type: "string" },
    rounds: { type: "string" },
    quick: { type: "boolean", default: false },
  },
});
const steady = (): number => performance.now();
const progress = startProgress(process.stderr, steady);
const start = steady();
const options = {
  programs: COMPILED,
  folder: FOLDER,
  desk: DESK,
  only: values.only?.split(",") ?? null,
  rounds: Number(values.rounds ?? (values.quick ? 2 : 7)),
  ms: values.quick ? 125 : 500,
  progress,
};
if (values.beside !== undefined) {
  const generator = startGenerator();
  const compared = await measureBeside({ ...options, generator }, [values.beside]);
  generator.stop();
  process.stdout.write(`${besideTable(compared)}\n`);
  process.exit(0);
}
await compileFloors();
const lines = await runBench(options);
const on = machine(new Date());
await Bun.write(
  join(FOLDER, "results.json"),
  `${JSON.stringify({ machine: on, lines }, null, 2)}\n`,
);
await Bun.write(join(FOLDER, "results.svg"), chart(lines, on));
progress.line(
  `${Math.round((steady() - start) / 1_000)} s; ${join(FOLDER, "results.json")}, results.svg`,
);
process.stdout.write(
  `${on.cpu}, ${on.cores} cores, ${on.system}, Bun ${on.bun}\n\n${table(lines)}\n`,
);
const busiest = Math.max(0, ...lines.flatMap(({ more }) => more["floor_generator_busy"] ?? []));
process.stdout.write(`\nThe load generator took at most ${shown(busiest)} of a core.\n`);
// A missed goal is reported but is no failure: on a machine with other load it means little.
process.exit(0);
