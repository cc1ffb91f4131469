import { constants, cpSync, existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { run } from "../support/program.ts";
import { changesOf, type Size } from "./data.ts";
import type { Progress } from "./progress.ts";
import { startDocket } from "./servers.ts";

/** One account's data and credentials. */
export type Owner = {
  readonly tasks: number;
  readonly size: Size;
  readonly session: string;
  readonly keys: readonly string[];
};

/** A data directory with its accounts, by name. */
export type Seed = { readonly directory: string; readonly owners: Readonly<Record<string, Owner>> };

export type Plan = Readonly<
  Record<string, Pick<Owner, "size" | "tasks"> & { readonly keys?: number }>
>;

export const ownerOf = ({ owners }: Seed, name: string): Owner => {
  const owner = owners[name];
  if (!owner) throw new Error(`The bench seeded no ${name}.`);
  return owner;
};

/** Records of a push. */
const RECORDS = 500;

/**
 * Makes a directory of this name with these accounts by a program: a newer build can read an older one's data, and not the
 * other way round. What the same executable has made before is used again.
 */
export const seed = async (
  program: readonly string[],
  folder: string,
  name: string,
  plan: Plan,
  progress: Progress,
): Promise<Seed> => {
  const executable = await Bun.file(program.at(-1) ?? "").bytes();
  const called = `${name}-${Bun.hash(executable, Bun.hash(JSON.stringify(plan))).toString(36)}`;
  const directory = join(folder, "seeds", called);
  const credentials = `${directory}.json`;
  if (!existsSync(credentials)) {
    rmSync(directory, { recursive: true, force: true });
    mkdirSync(directory, { recursive: true });
    const owners = await fill(program, directory, plan, progress);
    await Bun.write(`${directory}.new`, JSON.stringify(owners));
    renameSync(`${directory}.new`, credentials);
  }
  return { directory, owners: (await Bun.file(credentials).json()) as Seed["owners"] };
};

const fill = async (
  program: readonly string[],
  directory: string,
  plan: Plan,
  progress: Progress,
): Promise<Seed["owners"]> => {
  const docket = async (...words: readonly string[]): Promise<string> => {
    const { code, out, err } = await run(program, [...words, "--data", directory]);
    if (code !== 0) throw new Error(`docket ${words.join(" ")} failed: ${err}`);
    return out.trim();
  };
  const owners: Record<string, Owner> = {};
  for (const [name, { tasks, size, keys: wanted = 0 }] of Object.entries(plan)) {
    const email = `${name}@example.org`;
    await docket("account", "add", email);
    const session = await docket("session", "create", "--account", email, "--name", "laptop");
    const words = ["key", "create", "--account", email, "--scopes", "read,write", "--name"];
    const keys: string[] = [];
    for (let at = 0; at < wanted; at += 1) keys.push(await docket(...words, `bot ${at}`));
    owners[name] = { tasks, size, session, keys };
  }
  const server = await startDocket(program, directory);
  for (const [name, { tasks, size, session }] of Object.entries(owners))
    for (let from = 0; from < tasks; from += RECORDS) {
      progress.step(`seeding ${name}: ${from} of ${tasks} tasks`, from / tasks);
      const count = Math.min(RECORDS, tasks - from);
      await push(
        server.url,
        session,
        changesOf({ prefix: name, from, count, tasks, size, version: 0 }),
      );
    }
  await server.stop();
  return owners;
};

const push = async (url: string, session: string, changes: unknown): Promise<void> => {
  const response = await fetch(`${url}/api/public/v1/sync`, {
    method: "POST",
    headers: { authorization: `Bearer ${session}`, "content-type": "application/json" },
    body: JSON.stringify(changes),
  });
  if (!response.ok) throw new Error(`A push of the seed was answered ${response.status}.`);
};

/** Copies a seed for one server, to `name` below `folder`. */
export const copyOf = (folder: string, from: Seed, name: string): Seed => {
  const directory = join(folder, "run", name);
  rmSync(directory, { recursive: true, force: true });
  cpSync(from.directory, directory, { recursive: true, mode: constants.COPYFILE_FICLONE });
  return { ...from, directory };
};

export const dropCopies = (folder: string): void =>
  rmSync(join(folder, "run"), { recursive: true, force: true });
