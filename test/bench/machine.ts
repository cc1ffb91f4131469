import { cpus, release, type } from "node:os";

/** The machine that a result was measured on. */
export type Machine = {
  readonly cpu: string;
  readonly cores: number;
  readonly system: string;
  readonly bun: string;
  readonly date: string;
};

export const machine = (now: Date): Machine => ({
  cpu: cpus()[0]?.model ?? "unknown",
  cores: cpus().length,
  system: `${type()} ${release()}`,
  bun: Bun.version,
  date: now.toISOString(),
});
