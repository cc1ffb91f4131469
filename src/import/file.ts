import { lazy } from "../domain/base/lazy.ts";
import { loadLibrary } from "../domain/base/packing.ts";
import { listField, textField } from "../domain/base/payload.ts";
import { type DocketRecord, readDocket } from "./docket.ts";
import type { ImportedTask, LeftOut, Unreadable } from "./model.ts";
import { AS_USUAL, inFolder, type Shape } from "./shape.ts";

/** How a person wants a file imported. */
export type Wish = Shape & {
  /** The folder that everything goes into; null: folders as the file has them. */
  readonly into: string | null;
};

export const NO_WISH: Wish = { ...AS_USUAL, into: null };

/** What a file is. */
export type FileHead = {
  readonly name: string;
  readonly format: string;
  /** SHA-256 of the file and of the wish. */
  readonly digest: string;
  readonly leftOut: readonly LeftOut[];
};

/** A file that was read: tasks of another tool, or the records of Docket's own export. */
export type FileRead = FileHead &
  (
    | { readonly kind: "records"; readonly items: readonly DocketRecord[] }
    | { readonly kind: "tasks"; readonly items: readonly ImportedTask[] }
  );

/** Where the executable keeps what reads the formats of other tools, relative to the code. */
export const PACKED_FORMATS = "packed/formats.js.br";

const formats = lazy(() =>
  loadLibrary<typeof import("./read.ts")>(import.meta.dir, PACKED_FORMATS, "read.ts"),
);

/** Reads a file of whatever tool. Docket's own export is taken as it is, whatever is wished. */
export const readFile = async (
  name: string,
  bytes: Uint8Array,
  wish: Wish,
): Promise<FileRead | Unreadable> => {
  const { into, links, isAll } = wish;
  const digest = new Bun.CryptoHasher("sha256")
    .update(JSON.stringify([name, into, { links, isAll }]))
    .update(bytes)
    .digest("hex");
  const docket = readDocket(bytes);
  if (docket) {
    if ("error" in docket) return docket;
    const { records: items, leftOut } = docket;
    return { name, digest, format: "docket", leftOut, kind: "records", items };
  }
  const { readImport } = await formats();
  const read = readImport(name, bytes, { links, isAll });
  if ("error" in read) return read;
  const { format, tasks, skipped } = read;
  const leftOut = skipped.map(({ what, reason }) => ({
    what,
    reason: reason.replaceAll("_", " "),
  }));
  const items = into === null ? tasks : inFolder(tasks, into);
  return { name, digest, format, leftOut, kind: "tasks", items };
};

/** A task of a file, as a preview shows it. */
export type Sample = { readonly folder: string; readonly title: string; readonly tabs: number };

/** The first tasks of a file. Docket's own export says which folder a task is in by an id only. */
export const samplesOf = (file: FileRead, most: number): readonly Sample[] =>
  file.kind === "tasks"
    ? file.items
        .slice(0, most)
        .map(({ folder, title, tabs }) => ({ folder, title, tabs: tabs.length }))
    : file.items
        .filter(({ change }) => change.table === "sync_tasks")
        .slice(0, most)
        .map(({ change: { payload } }) => ({
          folder: "",
          title: textField(payload, "title") ?? "Untitled",
          tabs: listField(payload, "pages").length,
        }));
