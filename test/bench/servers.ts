import { join } from "node:path";
import { type Running, serve } from "../support/program.ts";

const ROOT = join(import.meta.dir, "../..");

/** Everything that a run creates is in here. */
export const FOLDER = join(ROOT, "dist/bench");

export const COMPILED: readonly string[] = [join(ROOT, "dist/docket")];

/** The highest limits for a key: with lower ones, the bench would measure only the limiter. */
export const UNLIMITED = ["--rate-per-minute", "100000", "--rate-per-hour", "100000"];

export const startDocket = (program: readonly string[], directory: string): Promise<Running> =>
  serve(program, ["--data", directory, "--log", "off", ...UNLIMITED]);
