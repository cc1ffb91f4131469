import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { setPriority } from "node:os";
import { join } from "node:path";
import { bytesOf, type Copy, keptOf, newestDaily } from "../domain/backups/kept.ts";
import {
  type Clock,
  DAY,
  formatInstant,
  HOUR,
  type Instant,
  parseInstant,
} from "../domain/base/instant.ts";
import { megabytes } from "../domain/base/disk-space.ts";
import {
  copiesIn,
  directoriesOf,
  nameOfCopy,
  pruneCopies,
  removeHalfMade,
  roomFor,
} from "../db/copies.ts";
import type { Store } from "../db/store.ts";
import type { Bucket } from "./bucket.ts";
import type { Log } from "./log.ts";
import { PROGRAM } from "./program.ts";

/** The copies that a server makes of its data by itself. */
export type Backups = {
  /** Makes a copy if the newest is a day old, and removes those that are not kept. Never throws. */
  readonly look: () => Promise<void>;
  readonly state: () => BackupState;
  /** Ends a copy that is being made. */
  readonly stop: () => void;
};

export type BackupState = {
  readonly directory: string;
  /** Newest first. */
  readonly copies: readonly Copy[];
  /** Why the last copy could not be made, as a sentence; null if it could, or none was tried yet. */
  readonly failure: string | null;
  /** The bucket that copies are sent to as well; null if there is none. `last` is the name of the newest copy there. */
  readonly away: {
    readonly address: string;
    readonly last: string | null;
    readonly failure: string | null;
  } | null;
  /** When a restore was last tried out, and why it failed, if it did; null if the server tries none. */
  readonly drill: { readonly at: Instant | null; readonly failure: string | null } | null;
};

/** What else becomes of the copies. */
type More = {
  /** Where they are sent as well. */
  readonly bucket?: Bucket | null;
  /** Whether a restore of the newest is tried out once a month. */
  readonly drills?: boolean;
};

type Parts = { readonly store: Store; readonly clock: Clock; readonly log: Log };

/** A server looks once an hour, so a copy a day comes at nearly the same time each day. */
const DUE = DAY - HOUR / 2;

export const startBackups = (
  { store, clock, log }: Parts,
  directory: string,
  { bucket = null, drills = false }: More = {},
): Backups => {
  const ending = new AbortController();
  let failure: string | null = null;
  let awayFailure: string | null = null;
  let lastAway: string | null = null;
  let drillFailure: string | null = null;
  let drilled: string | null = null;
  let isBusy = false;

  const makeOne = async (now: Instant): Promise<void> => {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    removeHalfMade(directory);
    makeRoom(directory, sizeOfData(store.directory));
    // What this leaves is whole, and was checked as a restore does.
    const file = join(directory, nameOfCopy("daily", now));
    await runApart(["backup", file, "--data", store.directory], ending.signal);
    for (const place of directoriesOf(store.directory, directory)) pruneCopies(place);
  };

  /** Sends the newest daily copy away if it is not there, and removes there what is not kept. */
  const sendAway = async (to: Bucket): Promise<void> => {
    const newest = newestDaily(copiesIn(directory));
    if (newest === undefined || newest.name === lastAway) return;
    const there = await to.list();
    if (!there.some(({ name }) => name === newest.name)) {
      await to.send(join(directory, newest.name), newest.name);
      const kept = new Set(keptOf([newest, ...there], Number.POSITIVE_INFINITY));
      for (const copy of there) if (!kept.has(copy)) await to.remove(copy.name);
    }
    lastAway = newest.name;
  };

  /** Tries out a restore of the newest daily copy if that was not done for a month. One that failed is not tried again. */
  const drill = async (now: Instant): Promise<string | null> => {
    const newest = newestDaily(copiesIn(directory));
    const last = lastDrill(store.directory);
    const isDrillDue = last === null || now - last >= MONTH || last > now;
    if (newest === undefined || newest.name === drilled || !isDrillDue) return drillFailure;
    drilled = newest.name;
    const work = async (): Promise<void> => {
      const file = join(directory, newest.name);
      await runApart(["drill", file, "--data", store.directory], ending.signal);
      writeFileSync(drillNote(store.directory), `${formatInstant(now)}\n`);
    };
    return attempt(work, drillFailure, "a restore of the newest backup was tried out, and failed");
  };

  /** Returns why some work failed, as a sentence; null if it did not. A failure is logged once while it lasts. */
  const attempt = async (
    work: () => Promise<void>,
    before: string | null,
    message: string,
  ): Promise<string | null> => {
    try {
      await work();
      return null;
    } catch (error) {
      if (ending.signal.aborted) return before;
      const why = error instanceof Error ? error.message : String(error);
      if (before === null) log.warn(message, { why, directory });
      return why;
    }
  };

  return {
    look: async () => {
      const now = clock.wall();
      if (isBusy) return;
      isBusy = true;
      const isNew = isDue(copiesIn(directory), now);
      if (isNew)
        failure = await attempt(() => makeOne(now), failure, "the daily backup could not be made");
      if (bucket !== null)
        awayFailure = await attempt(
          () => sendAway(bucket),
          awayFailure,
          "the daily backup could not be sent away",
        );
      if (drills) drillFailure = await drill(now);
      isBusy = false;
    },
    state: () => ({
      directory,
      copies: copiesIn(directory),
      failure,
      away: bucket && { address: bucket.address, last: lastAway, failure: awayFailure },
      drill: drills ? { at: lastDrill(store.directory), failure: drillFailure } : null,
    }),
    stop: () => ending.abort(),
  };
};

const MONTH = 30 * DAY;

const drillNote = (directory: string): string => join(directory, "docket.drill");

/** When a restore was last tried out with success; null if it never was. */
const lastDrill = (directory: string): Instant | null => {
  try {
    return parseInstant(readFileSync(drillNote(directory), "utf8").trim());
  } catch {
    return null;
  }
};

/** A copy from a clock that ran ahead does not count. */
const isDue = (copies: readonly Copy[], now: Instant): boolean => {
  const last = copies.find(({ kind, at }) => kind === "daily" && at <= now);
  return last === undefined || now - last.at >= DUE;
};

const sizeOfData = (directory: string): number =>
  ["docket.db", "docket.db-wal"].reduce(
    (sum, name) => sum + (statSync(join(directory, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );

/** Removes older copies until another one fits. Throws, and removes none, if it would not fit even then. */
const makeRoom = (directory: string, bytes: number): void => {
  const copies = copiesIn(directory);
  if (bytesOf(keptOf(copies, 0)) + bytes <= roomFor(directory, copies))
    return void pruneCopies(directory, bytes);
  throw new Error(
    `A copy takes ${megabytes(bytes)} MB, and copies may take at most half of the free disk. ` +
      "Free some space, or choose another directory (--backups).",
  );
};

/** Runs a command of this program in a process of its own: nobody waits for it, and it ends with `signal`. */
const runApart = async (words: readonly string[], signal: AbortSignal): Promise<void> => {
  const child = Bun.spawn([...PROGRAM, ...words], {
    env: {},
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
    signal,
  });
  yieldToOthers(child.pid);
  const said = await new Response(child.stderr).text();
  if ((await child.exited) !== 0)
    throw new Error(
      said
        .trim()
        .split("\n")
        .at(-1)
        ?.replace(/^docket: /, "") || "It was ended.",
    );
};

/** Lets the system prefer all other programs to this one. */
const yieldToOthers = (pid: number): void => {
  try {
    setPriority(pid, 10);
  } catch {
    // It has ended, or the system does not allow it.
  }
};
