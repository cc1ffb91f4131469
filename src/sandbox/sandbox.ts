import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Clock } from "../domain/base/instant.ts";
import { type SandboxClock, startSandboxClock } from "./clock.ts";

/** Where a sandbox keeps its data while it runs, and its clock. */
export type Sandbox = {
  readonly directory: string;
  readonly clock: SandboxClock;
  /** Deletes the data. Nothing happens the second time. */
  readonly remove: () => void;
};

/** Makes an empty temporary directory, which is removed when the process ends, and a clock that can be set. */
export const openSandbox = (real: Clock): Sandbox => {
  const directory = mkdtempSync(join(tmpdir(), "docket-sandbox-"));
  const remove = (): void => rmSync(directory, { recursive: true, force: true });
  process.once("exit", remove);
  return { directory, clock: startSandboxClock(real), remove };
};
