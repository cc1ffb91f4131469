import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { Step } from "./trace.ts";

/**
 * A disk that loses power. Writes to a file before its last fsync are permanent. Each later write is on the disk
 * completely, partly (some of its sectors) or not at all. The same holds for names: until their directory is synced,
 * a name that was created or removed may be there or not.
 */
export type Disk = {
  /** The names that are permanently on the disk. */
  readonly kept: Map<string, File>;
  /** The names as programs see them. */
  readonly names: Map<string, File>;
  readonly renamed: Renaming[];
  /** Whether fsync does what it promises. A disk that lies shows that the test can fail. */
  readonly honest: boolean;
};

/** A directory is a file without bytes, whose names come and go with it. */
type File = { kept: Uint8Array; readonly later: Change[]; readonly isDirectory?: true };

type Change = { readonly at: number; readonly bytes: Uint8Array } | { readonly size: number };

type NameChange = { readonly name: string; readonly file: File | null };

/** Changes of names that are on the disk together or not at all. A rename is two. */
type Renaming = readonly NameChange[];

/** The disk before the trace begins: everything in the directory is permanently on it. */
export const newDisk = (directory: string, honest = true): Disk => {
  const entries = readdirSync(directory, { withFileTypes: true, recursive: true });
  const kept = new Map(
    entries.map((entry): [string, File] => {
      const path = join(entry.parentPath, entry.name);
      const file = entry.isDirectory() ? newDirectory() : newFile(readFileSync(path));
      return [relative(directory, path), file];
    }),
  );
  return { kept, names: new Map(kept), renamed: [], honest };
};

const newFile = (kept = new Uint8Array()): File => ({ kept, later: [] });

const newDirectory = (): File => ({ ...newFile(), isDirectory: true });

/** Applies a step of the program to the disk. */
export const perform = (disk: Disk, step: Step): void => {
  switch (step.do) {
    case "reply":
      return;
    case "open":
      if (!disk.names.has(step.file)) rename(disk, [{ name: step.file, file: newFile() }]);
      return;
    case "make":
      return rename(disk, [{ name: step.file, file: newDirectory() }]);
    case "remove":
      return rename(disk, [{ name: step.file, file: null }]);
    case "rename":
      return rename(disk, [
        { name: step.to, file: theFile(disk, step.file) },
        { name: step.file, file: null },
      ]);
    case "sync names":
      return disk.honest ? settleNames(disk, step.file) : undefined;
    case "copy": {
      const { kept, later } = theFile(disk, step.from);
      const bytes = changed(kept, later).subarray(0, step.size);
      return void theFile(disk, step.file).later.push({ at: 0, bytes });
    }
    case "sync":
      return disk.honest ? settleBytes(theFile(disk, step.file)) : undefined;
    case "write":
    case "truncate":
      theFile(disk, step.file).later.push(step);
  }
};

const theFile = ({ names }: Disk, name: string): File => {
  const file = names.get(name);
  if (!file) throw new Error(`${name} was changed, but nothing in the trace created it.`);
  return file;
};

const rename = (disk: Disk, renaming: Renaming): void => {
  settle(disk.names, renaming);
  disk.renamed.push(renaming);
};

const settle = (names: Map<string, File>, renaming: Renaming): void => {
  for (const change of renaming)
    if (change.file) names.set(change.name, change.file);
    else names.delete(change.name);
};

/** Only the names in that directory: its own name is in the directory above. */
const settleNames = (disk: Disk, directory: string): void => {
  const isIn = ([change]: Renaming): boolean => parentOf(change?.name ?? "") === directory;
  for (const renaming of disk.renamed.filter(isIn)) settle(disk.kept, renaming);
  disk.renamed.splice(0, Infinity, ...disk.renamed.filter((renaming) => !isIn(renaming)));
};

const parentOf = (path: string): string => dirname(path).replace(/^\.$/, "");

const settleBytes = (file: File): void => {
  file.kept = changed(file.kept, file.later.splice(0));
};

/** Decides which sectors of a change reach the disk: called once for each change, then for each sector. */
export type Chance = () => () => boolean;

export const everything: Chance = () => () => true;

/** The files that the disk holds once the power is back. */
export const cut = (disk: Disk, chance: Chance): ReadonlyMap<string, Uint8Array> => {
  const names = new Map(disk.kept);
  for (const renaming of disk.renamed) if (chance()()) settle(names, renaming);
  const files = [...names].filter(
    ([path, { isDirectory }]) =>
      !isDirectory && (parentOf(path) === "" || names.has(parentOf(path))),
  );
  return new Map(
    files.map(([name, { kept, later }]): [string, Uint8Array] => [
      name,
      changed(
        kept,
        later.flatMap((change) => arrived(change, chance())),
      ),
    ]),
  );
};

const SECTOR = 512;

const arrived = (change: Change, arrives: () => boolean): readonly Change[] => {
  if ("size" in change) return arrives() ? [change] : [];
  const { at, bytes } = change;
  const first = SECTOR - (at % SECTOR);
  const starts = [0];
  for (let start = first; start < bytes.length; start += SECTOR) starts.push(start);
  return starts.flatMap((start, index) =>
    arrives() ? [{ at: at + start, bytes: bytes.subarray(start, starts[index + 1]) }] : [],
  );
};

/** Bytes between two writes that were never written are zero, as file systems promise. */
const changed = (kept: Uint8Array, changes: readonly Change[]): Uint8Array => {
  const ends = changes.map((change) => ("size" in change ? change.size : endOf(change)));
  const bytes = new Uint8Array(Math.max(kept.length, ...ends));
  bytes.set(kept);
  let size = kept.length;
  for (const change of changes) {
    if ("size" in change) {
      size = change.size;
      bytes.fill(0, size);
    } else {
      bytes.set(change.bytes, change.at);
      size = Math.max(size, endOf(change));
    }
  }
  return bytes.subarray(0, size);
};

const endOf = ({ at, bytes }: { readonly at: number; readonly bytes: Uint8Array }): number =>
  at + bytes.length;
