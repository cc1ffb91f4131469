import { parseArgs } from "node:util";
import { runBench } from "./run.ts";
import { startProgress } from "./progress.ts";
import { COMPILED, FOLDER } from "./servers.ts";

// bun run bench [--beside FILE] [--only list,create,...] [--rounds 7]
// This build beside another executable of Docket, by processor time, or beside itself without one.

const { values } = parseArgs({
  options: {
    beside: { type: "string" },
    only: { type: "string" },
    rounds: { type: "string", default: "7" },
  },
});
const text = await runBench({
  now: COMPILED,
  before: values.beside === undefined ? COMPILED : [values.beside],
  only: values.only?.split(",") ?? null,
  rounds: Number(values.rounds),
  ms: 500,
  progress: startProgress(process.stderr, () => performance.now()),
  folder: FOLDER,
});
process.stdout.write(text);
process.exit(0);
