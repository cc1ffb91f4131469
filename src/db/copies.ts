import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { DAY, type Instant, isDate, parseMoment } from "../domain/base/instant.ts";
import { bytesOf, type Copy, type CopyKind, keptOf } from "../domain/backups/kept.ts";
import { readSpace } from "./disk-space.ts";

/** `daily-2026-01-31T03-00-00-000Z.db`; the other kinds likewise. */
const NAME =
  /^(before-migration|before-restore|daily)-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z\.db$/;

export const nameOfCopy = (kind: CopyKind, at: Instant): string =>
  `${kind}-${new Date(at).toISOString().replaceAll(/[:.]/g, "-")}.db`;

/** The copy that a file of this name and size, in bytes, is; null if it is none. */
export const copyOf = (name: string, bytes: number): Copy | null => {
  const [, kind, day, ...time] = NAME.exec(name) ?? [];
  if (day === undefined) return null;
  const at = Date.parse(`${day}T${time.slice(0, 3).join(":")}.${time[3]}Z`);
  return Number.isNaN(at) ? null : { name, kind: kind as CopyKind, at, bytes };
};

/** Returns the copies in a directory, newest first. Other files there are none, whatever they are called. */
export const copiesIn = (directory: string): readonly Copy[] =>
  namesIn(directory)
    .map((name) =>
      copyOf(
        name,
        filesOf(directory, name).reduce((sum, file) => sum + sizeOf(file), 0),
      ),
    )
    .filter((copy) => copy !== null)
    .toSorted((a, b) => b.at - a.at);

/**
 * Removes the copies that `keptOf` does not keep, so that all together take at most half of what would be free without
 * them, with room for `more` bytes. Returns what it removed.
 */
export const pruneCopies = (directory: string, more = 0): readonly Copy[] => {
  const copies = copiesIn(directory);
  const kept = new Set(keptOf(copies, roomFor(directory, copies) - more));
  const removed = copies.filter((copy) => !kept.has(copy));
  for (const { name } of removed)
    for (const file of filesOf(directory, name)) rmSync(file, { force: true });
  return removed;
};

/** Half of what would be free without the copies, in bytes; no limit where the system does not report it. */
export const roomFor = (directory: string, copies: readonly Copy[]): number => {
  const space = readSpace(directory);
  return space === null ? Number.POSITIVE_INFINITY : (space.free + bytesOf(copies)) / 2;
};

/** Removes what a server left half-made when it was killed. No other program writes files of these names. */
export const removeHalfMade = (directory: string): void => {
  for (const name of namesIn(directory))
    if (/^daily-.*\.partial(?:-journal)?$/.test(name))
      rmSync(join(directory, name), { force: true });
};

/** A copy and the directory that it is in. */
export type Placed = Copy & { readonly directory: string };

/** The directories that hold copies of the data: that of the daily ones, and that of those before a change of all data. */
export const directoriesOf = (data: string, daily: string | null): readonly string[] => [
  ...new Set([...(daily === null ? [] : [daily]), join(data, "backups")]),
];

/** Returns the copies in several directories, newest first. */
export const placedIn = (directories: readonly string[]): readonly Placed[] =>
  directories
    .flatMap((directory) => copiesIn(directory).map((copy) => ({ ...copy, directory })))
    .toSorted((a, b) => b.at - a.at);

/** Returns the copy of that name, or the newest that was there at a time (a day alone: at its end); null if there is none. */
export const findCopy = (copies: readonly Placed[], word: string): Placed | null => {
  const day = isDate(word) ? parseMoment(word) : null;
  const until = day === null ? parseMoment(word) : day + DAY - 1;
  return (
    copies.find(({ name, at }) =>
      until === null ? name === word || name === `${word}.db` : at <= until,
    ) ?? null
  );
};

/** A copy of damaged data has its log beside it. */
const filesOf = (directory: string, name: string): readonly string[] => [
  join(directory, name),
  join(directory, `${name}-wal`),
];

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

const namesIn = (directory: string): readonly string[] => {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
};
