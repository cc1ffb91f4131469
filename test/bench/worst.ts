import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { COMPILED } from "./_servers.ts";
import { median } from "./_stats.ts";
import { kindOf, type Ranked, searchWorst } from "./_worst.ts";

// bun run worst [--minutes 3] [--seed 1] [--only TEXT] [--program FILE]
// Searches among the legal calls of one key and one session for those that make others wait longest.

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "3" },
    seed: { type: "string" },
    only: { type: "string", default: "" },
    program: { type: "string" },
  },
});
const seed = Number(values.seed ?? Math.floor(Math.random() * 1_000_000));
const folder = mkdtempSync(join(tmpdir(), "docket-worst-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));

const { tries, floor, worst } = await searchWorst({
  program: values.program === undefined ? COMPILED.docket : [values.program],
  folder,
  seed,
  time: Number(values.minutes) * 60_000,
  only: values.only,
  report: (line) => process.stderr.write(`${line}\n`),
});

const shown = (ms: number): string => ms.toFixed(0).padStart(7);
const line = (call: Ranked): string =>
  `${shown(call.median)}${shown(call.longest)}${shown(call.took)}  ${kindOf(call.genes)} (${call.status})\n` +
  `${" ".repeat(23)}${JSON.stringify(call.genes)}\n`;

process.stdout.write(
  `${tries} calls tried with the seed ${seed}, the worst ${floor.length} times again (ms)\n`,
);
process.stdout.write(" median  worst   took\n");
process.stdout.write(
  `${shown(median(floor))}${shown(Math.max(...floor))}         nothing (the noise of this machine)\n`,
);
for (const call of worst) process.stdout.write(line(call));
process.exit(0);
