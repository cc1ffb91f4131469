import { constants, cpSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { FROM_SOURCE, run, type Running, serve } from "../support/program.ts";

const ROOT = join(import.meta.dir, "../..");

/** Everything that a run creates is in here. */
export const FOLDER = join(ROOT, "dist/bench");

/** The command of each server. */
export type Programs = Readonly<Record<"bare" | "docket" | "floor" | "stack", readonly string[]>>;

export const COMPILED: Programs = {
  bare: [join(FOLDER, "bare")],
  docket: [join(ROOT, "dist/docket")],
  floor: [join(FOLDER, "floor")],
  stack: [join(FOLDER, "stack")],
};

/** The same, not compiled: only for testing the benchmark itself. */
export const UNCOMPILED: Programs = {
  bare: [process.execPath, join(import.meta.dir, "bare.ts")],
  docket: FROM_SOURCE,
  floor: [process.execPath, join(import.meta.dir, "floor.ts")],
  stack: [process.execPath, join(import.meta.dir, "stack.ts")],
};

/** The highest limits for a key: with lower ones, the benchmark would measure only the limiter. */
const UNLIMITED = ["--rate-per-minute", "100000", "--rate-per-hour", "100000"];

/** Compiles what Docket is compared with, in the same way as Docket. */
export const compileFloors = async (): Promise<void> => {
  if (!existsSync(join(ROOT, "dist/docket")))
    throw new Error("There is no dist/docket yet: bun run build makes it.");
  mkdirSync(FOLDER, { recursive: true });
  for (const name of ["floor", "bare", "stack"]) {
    const words = [
      "build",
      ...flags(),
      "--outfile",
      join(FOLDER, name),
      join(import.meta.dir, `${name}.ts`),
    ];
    const { code, err } = await run([process.execPath], words, {
      env: { NODE_ENV: "production" },
      cwd: ROOT,
    });
    if (code !== 0) throw new Error(`${name}.ts does not compile: ${err}`);
  }
};

/** The flags of the build script that say how to compile, and not what. */
const flags = (): readonly string[] => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
    readonly scripts: { readonly build: string };
  };
  return scripts.build.split(" ").filter((word) => /^--(?!asset|external|outfile)/.test(word));
};

/** Without its log, because the floor has none. */
export const startDocket = ({ docket }: Programs, directory: string): Promise<Running> =>
  serve(docket, ["--data", directory, "--log", "off", ...UNLIMITED]);

export const startFloor = ({ floor }: Programs, directory: string): Promise<Running> =>
  serve(floor, ["--data", directory]);

export const startStack = ({ stack }: Programs, directory: string): Promise<Running> =>
  serve(stack, ["--data", directory]);

/** Copies a data directory for one server, to `name` below `folder`. */
export const copyOf = (folder: string, directory: string, name: string): string => {
  const copy = join(folder, "run", name);
  rmSync(copy, { recursive: true, force: true });
  cpSync(directory, copy, { recursive: true, mode: constants.COPYFILE_FICLONE });
  return copy;
};

export const dropCopies = (folder: string): void =>
  rmSync(join(folder, "run"), { recursive: true, force: true });
