import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Step } from "./_trace.ts";

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
  readonly renamed: NameChange[];
  /** Whether fsync does what it promises. A disk that lies shows that the test can fail. */
  readonly honest: boolean;
};

type File = { kept: Uint8Array; readonly later: Change[] };

type Change = { readonly at: number; readonly bytes: Uint8Array } | { readonly size: number };

type NameChange = { readonly name: string; readonly file: File | null };

/** The disk before the trace begins: everything in the directory is permanently on it. */
export const newDisk = (directory: string, honest = true): Disk => {
  const names = readdirSync(directory, { withFileTypes: true }).filter((entry) => entry.isFile());
  const kept = new Map(
    names.map(({ name }): [string, File] => [
      name,
      { kept: readFileSync(join(directory, name)), later: [] },
    ]),
  );
  return { kept, names: new Map(kept), renamed: [], honest };
};

/** Applies a step of the server to the disk. */
export const perform = (disk: Disk, step: Step): void => {
  switch (step.do) {
    case "reply":
      return;
    case "open":
      if (!disk.names.has(step.file))
        rename(disk, step.file, { kept: new Uint8Array(), later: [] });
      return;
    case "remove":
      return rename(disk, step.file, null);
    case "sync names":
      if (disk.honest) for (const change of disk.renamed.splice(0)) settleName(disk.kept, change);
      return;
    case "sync":
      return disk.honest ? settle(theFile(disk, step.file)) : undefined;
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

const rename = (disk: Disk, name: string, file: File | null): void => {
  settleName(disk.names, { name, file });
  disk.renamed.push({ name, file });
};

const settleName = (names: Map<string, File>, { name, file }: NameChange): void => {
  if (file) names.set(name, file);
  else names.delete(name);
};

const settle = (file: File): void => {
  file.kept = changed(file.kept, file.later.splice(0));
};

/** Decides which sectors of a change reach the disk: called once for each change, then for each sector. */
export type Chance = () => () => boolean;

export const everything: Chance = () => () => true;

/** The files that the disk holds once the power is back. */
export const cut = (disk: Disk, chance: Chance): ReadonlyMap<string, Uint8Array> => {
  const names = new Map(disk.kept);
  for (const change of disk.renamed) if (chance()()) settleName(names, change);
  return new Map(
    [...names].map(([name, { kept, later }]): [string, Uint8Array] => [
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
