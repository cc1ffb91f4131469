import { parseArgs } from "node:util";
import { COMPILED } from "./servers.ts";
import { median } from "./stats.ts";
import { measureWaiting } from "./many-waiting.ts";
import { CASES } from "./waiting-cases.ts";
import { measureWaits } from "./waiting.ts";

// bun run waits [--beside FILE] [--rounds 3] [--only TEXT]
// How long others wait while one legal call is answered, by this build and by another executable of Docket.
// bun run waits --waiting 0,500,2000 [--beside FILE]
// How long others wait while these numbers of calls wait for changes.

const { values } = parseArgs({
  options: {
    beside: { type: "string" },
    rounds: { type: "string", default: "3" },
    only: { type: "string", default: "" },
    waiting: { type: "string" },
  },
});
const programs: Readonly<Record<string, readonly string[]>> = {
  ...(values.beside === undefined ? {} : { before: [values.beside] }),
  now: COMPILED,
};
const shown = (ms: number): string => ms.toFixed(0).padStart(7);

if (values.waiting !== undefined) {
  process.stdout.write(" median    99 %   first    last  processor  memory   (ms; %; MB)\n");
  for (const count of values.waiting.split(",").map(Number))
    for (const [build, program] of Object.entries(programs)) {
      const {
        median: middle,
        most,
        told,
        processor,
        memory,
      } = await measureWaiting(program, count);
      const times = [middle, most].map((ms) => ms.toFixed(1).padStart(7));
      const ends = (told ?? [Number.NaN, Number.NaN]).map(shown);
      const costs = [(processor * 100).toFixed(0).padStart(10), shown(memory / 1e6)];
      process.stdout.write(
        `${[...times, ...ends, ...costs].join(" ")}  ${build}: ${count} waiting\n`,
      );
    }
  process.exit(0);
}

process.stdout.write(
  "   took  median longest   (ms; the call itself, and the longest that others waited)\n",
);
for (const [name, make] of Object.entries(CASES).filter(([one]) => one.includes(values.only))) {
  const call = make();
  for (const [build, program] of Object.entries(programs)) {
    const found = await measureWaits(program, call, Number(values.rounds));
    const waits = found.map(({ health, list }) => Math.max(health, list));
    const figures = [median(found.map(({ took }) => took)), median(waits), Math.max(...waits)];
    const statuses = [...new Set(found.map(({ status }) => status))].join(", ");
    process.stdout.write(
      `${figures.map(shown).join(" ")}  ${build}: ${name} (${statuses}, ${found.length} times)\n`,
    );
  }
}
process.exit(0);
