import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { Deed } from "./_trace.ts";

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
  readonly renamed: Step[];
  /** Whether fsync does what it promises. A disk that lies shows that the test can fail. */
  readonly honest: boolean;
};

/** A directory is a file without bytes, whose names come and go with it. */
type File = { kept: Uint8Array; readonly later: Change[]; readonly isDirectory?: true };

type Change = { readonly at: number; readonly bytes: Uint8Array } | { readonly size: number };

type NameChange = { readonly name: string; readonly file: File | null };

/** Changes of names that are on the disk together or not at all. A rename is two. */
type Step = readonly NameChange[];

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

/** Does to the disk what the program did. */
export const perform = (disk: Disk, deed: Deed): void => {
  switch (deed.do) {
    case "reply":
      return;
    case "open":
      if (!disk.names.has(deed.file)) rename(disk, [{ name: deed.file, file: newFile() }]);
      return;
    case "make":
      return rename(disk, [{ name: deed.file, file: newDirectory() }]);
    case "remove":
      return rename(disk, [{ name: deed.file, file: null }]);
    case "rename":
      return rename(disk, [
        { name: deed.to, file: theFile(disk, deed.file) },
        { name: deed.file, file: null },
      ]);
    case "sync names":
      return disk.honest ? settleNames(disk, deed.file) : undefined;
    case "copy": {
      const { kept, later } = theFile(disk, deed.from);
      const bytes = changed(kept, later).subarray(0, deed.size);
      return void theFile(disk, deed.file).later.push({ at: 0, bytes });
    }
    case "sync":
      return disk.honest ? settleBytes(theFile(disk, deed.file)) : undefined;
    case "write":
    case "truncate":
      theFile(disk, deed.file).later.push(deed);
  }
};

const theFile = ({ names }: Disk, name: string): File => {
  const file = names.get(name);
  if (!file) throw new Error(`${name} was changed, but nothing in the trace created it.`);
  return file;
};

const rename = (disk: Disk, step: Step): void => {
  settle(disk.names, step);
  disk.renamed.push(step);
};

const settle = (names: Map<string, File>, step: Step): void => {
  for (const change of step)
    if (change.file) names.set(change.name, change.file);
    else names.delete(change.name);
};

/** Only the names in that directory: its own name is in the directory above. */
const settleNames = (disk: Disk, directory: string): void => {
  const isIn = ([change]: Step): boolean => parentOf(change?.name ?? "") === directory;
  for (const step of disk.renamed.filter(isIn)) settle(disk.kept, step);
  disk.renamed.splice(0, Infinity, ...disk.renamed.filter((step) => !isIn(step)));
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
  for (const step of disk.renamed) if (chance()()) settle(names, step);
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
