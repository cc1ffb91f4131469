import { statSync } from "node:fs";
import { join } from "node:path";
import { fileOn, newAgent } from "../agent.ts";
import { type Ledger, newLedger, pullOn, pushOn } from "../load.ts";
import { type Credentials, startServerProcess } from "../process.ts";
import { send } from "../server.ts";
import { type Disk, newDisk } from "./disk.ts";
import { type Step, serveTraced } from "./trace.ts";

/** The disk before, what servers then did to it, and what they answered meanwhile. */
export type Recorded = {
  /** A new copy of the disk as it was before. */
  readonly disk: (honest: boolean) => Disk;
  readonly steps: readonly Step[];
  readonly ledger: Ledger;
};

type Random = (below: number) => number;

const UNLIMITED = ["--rate-per-minute", "100000", "--rate-per-hour", "100000"];

/**
 * Runs three servers, one after the other, with devices and agents using them. The first is killed, so that the
 * second starts with a log. The second is stopped cleanly. The third is killed while it works.
 */
export const recordLives = async (
  directory: string,
  traces: string,
  credentials: Credentials,
  random: Random,
): Promise<Recorded> => {
  await fillLog(directory, credentials);
  const ledger = newLedger();
  const agent = newAgent();
  const before = newDisk(directory);
  const steps: Step[] = [];
  for (const [life, end] of (["SIGKILL", "SIGTERM", "SIGKILL"] as const).entries()) {
    const server = await serveTraced(directory, join(traces, String(life)), UNLIMITED);
    const enough = ledger.answers + ANSWERS;
    const isOver = (): boolean => ledger.answers >= enough;
    const target = { ...credentials, url: server.url, random, records: 10, isOver };
    const load = [
      pushOn(ledger, target, "laptop"),
      pushOn(ledger, target, "phone"),
      fileOn(ledger, target, agent),
      pullOn(ledger, target),
    ];
    await Promise.race(load);
    if (end === "SIGTERM") await Promise.all(load);
    await server.stop(end);
    await Promise.all(load);
    steps.push(...(await server.steps()));
  }
  return { disk: (honest) => ({ ...structuredClone(before), honest }), steps, ledger };
};

/** How many requests each server answers before it ends. */
const ANSWERS = 22;

/**
 * SQLite moves its log into the database once the log holds 1,000 pages. This writes the first 800 before the trace
 * begins, and kills the server so that they stay: the trace then shows how the log is emptied.
 */
const fillLog = async (directory: string, { key: token }: Credentials): Promise<void> => {
  const server = await startServerProcess(directory);
  const log = join(directory, "docket.db-wal");
  const tasks = `${server.url()}/api/public/v1/tasks`;
  const { json: task } = await send("POST", tasks, { token, body: { title: "0" } });
  for (let title = 1; statSync(log).size < 800 * PAGE; title += 1)
    await send("PATCH", `${tasks}/${task.id}`, { token, body: { title: String(title) } });
  await server.stop("SIGKILL");
};

const PAGE = 4_096;
