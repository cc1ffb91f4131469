import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { COMPILED } from "./_servers.ts";
import { CASES, measureWaits } from "./_waiting.ts";

// bun run waits [--beside FILE] [--rounds 3] [--only TEXT]
// How long others wait while one legal call is answered, by this build and by another executable of Docket.

const { values } = parseArgs({
  options: { beside: { type: "string" }, rounds: { type: "string" }, only: { type: "string" } },
});
const programs: Readonly<Record<string, readonly string[]>> = {
  ...(values.beside === undefined ? {} : { before: [values.beside] }),
  now: COMPILED.docket,
};
const shown = (ms: number): string => ms.toFixed(0).padStart(7);

process.stdout.write("   took  healthz  list   (longest, in ms)\n");
for (const name of Object.keys(CASES).filter((one) => one.includes(values.only ?? "")))
  for (let round = 0; round < Number(values.rounds ?? "1"); round += 1)
    for (const [build, program] of Object.entries(programs)) {
      const folder = mkdtempSync(join(tmpdir(), "docket-waits-"));
      try {
        const { took, health, list, status, probes } = await measureWaits(program, folder, name);
        const line = `${shown(took)}${shown(health)}${shown(list)}`;
        process.stdout.write(`${line}  ${build}: ${name} (${status}, ${probes} probes)\n`);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    }
process.exit(0);
