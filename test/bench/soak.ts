import { join } from "node:path";
import { parseArgs } from "node:util";
import { DESK } from "./run.ts";
import { machine } from "./machine.ts";
import { startProgress } from "./progress.ts";
import { shown } from "./report.ts";
import { judge } from "./samples.ts";
import { copyOf, dropCopies, ownerOf, type Plan, seed } from "./seed.ts";
import { COMPILED, FOLDER, startDocket } from "./servers.ts";
import { soak } from "./soaking.ts";

// bun run soak [--minutes 30] [--rate 0]: requests per second, 0 for as many as the server answers to 16 clients

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "30" },
    rate: { type: "string", default: "0" },
  },
});
/** Nearly as many as an account may have: a key answers 100,000 requests an hour, and half an hour has 3,000,000. */
const KEYS = 48;

const progress = startProgress(process.stderr, () => performance.now());
const plan: Plan = { ...DESK, ann: { tasks: 10_000, size: "large", keys: KEYS } };
const data = await seed(COMPILED, FOLDER, "soak", plan, progress);
const { directory } = copyOf(FOLDER, data, "soak");
const server = await startDocket(COMPILED, directory);
const soaked = { url: server.url, pid: server.pid, directory, name: "ann" };
const options = { minutes: Number(values.minutes), rate: Number(values.rate), progress };
const samples = await soak({ ...soaked, owner: ownerOf(data, "ann") }, options);
await server.stop();
dropCopies(FOLDER);
const verdict = judge(samples);
const on = machine(new Date());
const result = { machine: on, rate: options.rate, verdict, samples };
await Bun.write(join(FOLDER, "soak.json"), `${JSON.stringify(result, null, 2)}\n`);
const { growth, wal, tail, tails, failed } = verdict;
process.stdout.write(
  [
    `${on.cpu}, ${on.cores} cores, ${on.system}, Bun ${on.bun}; ${options.minutes} minutes`,
    `memory after the first 5 minutes: ${growth > 0 ? "+" : ""}${shown(growth)} MiB`,
    `log at its largest: ${shown(wal)} MiB`,
    `p99 by p50: ${shown(tail)} (reads ${shown(tails.read)}, writes ${shown(tails.write)}, sync ${shown(tails.sync)})`,
    `requests that failed: ${failed}`,
    "",
  ].join("\n"),
);
process.exit(0);
