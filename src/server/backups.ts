import { mkdirSync, statSync } from "node:fs";
import { setPriority } from "node:os";
import { join } from "node:path";
import { bytesOf, type Copy, keptOf } from "../domain/backups/kept.ts";
import { type Clock, DAY, HOUR, type Instant } from "../domain/base/instant.ts";
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
};

type Parts = { readonly store: Store; readonly clock: Clock; readonly log: Log };

/** A server looks once an hour, so a copy a day comes at nearly the same time each day. */
const DUE = DAY - HOUR / 2;

export const startBackups = (
  { store, clock, log }: Parts,
  directory: string,
  bucket: Bucket | null = null,
): Backups => {
  const ending = new AbortController();
  let failure: string | null = null;
  let awayFailure: string | null = null;
  let lastAway: string | null = null;
  let isBusy = false;

  const makeOne = async (now: Instant): Promise<void> => {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    removeHalfMade(directory);
    makeRoom(directory, sizeOfData(store.directory));
    await copyApart(store.directory, join(directory, nameOfCopy("daily", now)), ending.signal);
    for (const place of directoriesOf(store.directory, directory)) pruneCopies(place);
  };

  /** Sends the newest daily copy away if it is not there, and removes there what is not kept. */
  const sendAway = async (to: Bucket): Promise<void> => {
    const newest = copiesIn(directory).find(({ kind }) => kind === "daily");
    if (newest === undefined || newest.name === lastAway) return;
    const there = await to.list();
    if (!there.some(({ name }) => name === newest.name)) {
      await to.send(join(directory, newest.name), newest.name);
      const kept = new Set(keptOf([newest, ...there], Number.POSITIVE_INFINITY));
      for (const copy of there) if (!kept.has(copy)) await to.remove(copy.name);
    }
    lastAway = newest.name;
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
      isBusy = false;
    },
    state: () => ({
      directory,
      copies: copiesIn(directory),
      failure,
      away: bucket && { address: bucket.address, last: lastAway, failure: awayFailure },
    }),
    stop: () => ending.abort(),
  };
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

/**
 * Makes a copy in a process of its own, with the command for it: nobody waits for it, and it ends with `signal`. What it
 * leaves is whole, and was checked as a restore does.
 */
const copyApart = async (data: string, file: string, signal: AbortSignal): Promise<void> => {
  const child = Bun.spawn([...PROGRAM, "backup", file, "--data", data], {
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
