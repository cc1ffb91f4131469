import { Database } from "bun:sqlite";
import { openStore } from "../../../src/db/open.ts";
import { databaseFile } from "./store.ts";

/**
 * A process beside the tests' own. It does one thing, prints "ready", and goes on until it is killed or its
 * input ends.
 */
export type Doing = "hold the write lock" | "serve" | "visit";

export const startProcess = async (doing: Doing, directory: string) => {
  const child = Bun.spawn([process.execPath, import.meta.path, doing, directory], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });
  const output = child.stdout.getReader();
  const { value } = await output.read();
  const said = new TextDecoder().decode(value).trim();
  if (said !== "ready") throw new Error(`The process said: ${said}`);
  return {
    pid: child.pid,
    isRunning: (): boolean => child.exitCode === null && child.signalCode === null,
    /** Releases what it holds and exits normally. */
    end: async (): Promise<void> => {
      await child.stdin.end();
      await child.exited;
    },
    kill: async (): Promise<void> => {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
};

const perform = async (doing: Doing, directory: string): Promise<() => Promise<void> | void> => {
  if (doing === "hold the write lock") {
    const database = new Database(databaseFile(directory), { readwrite: true, create: false });
    database.run("BEGIN IMMEDIATE");
    return () => database.close();
  }
  const role = doing === "serve" ? "server" : "visitor";
  const store = await openStore({ directory, role, now: Date.now() });
  return () => store.close();
};

if (import.meta.main) {
  const [doing, directory = ""] = process.argv.slice(2);
  const letGo = await perform(doing as Doing, directory);
  process.stdout.write("ready\n");
  for await (const _ of Bun.stdin.stream());
  await letGo();
}
