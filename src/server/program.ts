import { join } from "node:path";

/** The command that runs this program itself. */
export const PROGRAM: readonly string[] = Bun.isStandaloneExecutable
  ? [process.execPath]
  : [process.execPath, join(import.meta.dir, "../main.ts")];
