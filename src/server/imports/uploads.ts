import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { basename, join } from "node:path";
import { randomBytes } from "node:crypto";
import { DAY, type Clock, type Instant } from "../../domain/base/instant.ts";
import { isLow } from "../../domain/base/disk-space.ts";
import { Refusal } from "../../domain/base/refusal.ts";
import { readSpace } from "../../db/disk-space.ts";
import type { Preview } from "../../db/imports/batches.ts";
import type { LeftOut } from "../../import/model.ts";
import type { Sample } from "../../import/file.ts";

/** A file that somebody has sent and not imported yet. It stays for a day, unless the server is started again. */
export type Upload = {
  readonly id: string;
  readonly accountId: number;
  readonly name: string;
  readonly at: Instant;
  /** The last preview of it, and of which wish, as JSON. */
  preview: { readonly wish: string; readonly seen: Seen } | null;
};

/** What a preview shows. */
export type Seen = Preview & {
  readonly format: string;
  readonly samples: readonly Sample[];
  /** How much is left out, and the first of it. */
  readonly skipped: number;
  readonly leftOut: readonly LeftOut[];
};

/** In bytes. Longer files are for the command line. */
const LARGEST_UPLOAD = 256 * 1024 * 1024;

/** Uploaded files, in the data directory. An account has one at a time that it has not imported yet. */
export type Uploads = {
  /**
   * Writes a body to the disk as it arrives. It replaces an upload of the account that is still arriving, because that may
   * hang. Refuses a body that is too large, and any if the disk has no room.
   */
  readonly receive: (accountId: number, name: string, request: Request) => Promise<Upload>;
  /** Returns the account's upload with that id; null if it has gone. */
  readonly find: (accountId: number, id: string) => Upload | null;
  /** Takes an upload out of the list, while its file is imported. */
  readonly take: (id: string) => void;
  readonly put: (upload: Upload) => void;
  readonly pathOf: (id: string) => string;
  readonly remove: (id: string) => void;
  /** Removes uploads that are older than a day, and all files that are neither uploads nor among these. */
  readonly keepOnly: (ids: ReadonlySet<string>) => void;
  /** Removes what an account has not imported yet. */
  readonly forget: (accountId: number) => void;
};

export const startUploads = (directory: string, clock: Clock): Uploads => {
  const folder = join(directory, "uploads");
  const uploads = new Map<string, Upload>();
  const writing = new Set<string>();
  /** The upload of each account that began to arrive last. */
  const newest = new Map<number, string>();
  const pathOf = (id: string): string => join(folder, id);

  const remove = (id: string): void => {
    uploads.delete(id);
    rmSync(pathOf(id), { force: true });
  };
  const removeAll = (isGone: (upload: Upload) => boolean): void => {
    for (const upload of uploads.values()) if (isGone(upload)) remove(upload.id);
  };

  const receive = async (accountId: number, name: string, request: Request): Promise<Upload> => {
    const id = randomBytes(16).toString("hex");
    newest.set(accountId, id);
    writing.add(id);
    const isNewest = (): boolean => newest.get(accountId) === id;
    await write(pathOf(id), request, isNewest).finally(() => {
      writing.delete(id);
      if (isNewest()) newest.delete(accountId);
    });
    const upload = { id, accountId, name: basename(name), at: clock.wall(), preview: null };
    removeAll((other) => other.accountId === accountId);
    uploads.set(id, upload);
    return upload;
  };

  const write = async (path: string, request: Request, isNewest: () => boolean): Promise<void> => {
    const announced = Number(request.headers.get("content-length") ?? 0);
    if (announced > LARGEST_UPLOAD) throw tooLarge();
    const space = readSpace(directory);
    if (space && isLow({ ...space, free: space.free - announced })) throw noRoom();
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const file = await open(path, "wx", 0o600);
    try {
      let size = 0;
      for await (const chunk of request.body ?? []) {
        size += chunk.length;
        if (size > LARGEST_UPLOAD) throw tooLarge();
        await file.writeFile(chunk);
        if (!isNewest()) break;
      }
      if (!isNewest()) throw givenUp();
      if (size < announced) throw brokenOff();
    } catch (error) {
      rmSync(path, { force: true });
      throw refusalOf(error);
    } finally {
      await file.close();
    }
  };

  return {
    receive,
    find: (accountId, id) => {
      const upload = uploads.get(id);
      return upload?.accountId === accountId ? upload : null;
    },
    take: (id) => {
      uploads.delete(id);
    },
    put: (upload) => {
      uploads.set(upload.id, upload);
    },
    pathOf,
    remove,
    keepOnly: (ids) => {
      removeAll(({ at }) => at < clock.wall() - DAY);
      for (const id of filesIn(folder))
        if (!ids.has(id) && !uploads.has(id) && !writing.has(id)) remove(id);
    },
    forget: (accountId) => removeAll((upload) => upload.accountId === accountId),
  };
};

const filesIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};

const tooLarge = (): Refusal =>
  new Refusal(
    "too_large",
    "The file is larger than 256 MiB. Use `docket import` on the server's computer, or split the file.",
  );

const noRoom = (): Refusal =>
  new Refusal(
    "disk_full",
    "The server's disk has no room for the file. Ask whoever runs the server to free some space.",
  );

const givenUp = (): Refusal =>
  new Refusal("already_there", "This upload was stopped, because you sent another file after it.");

const brokenOff = (): Refusal =>
  new Refusal("malformed", "The file was cut off before its end. Send it again.");

const refusalOf = (error: unknown): unknown => {
  if (error instanceof Refusal) return error;
  // A fault of the disk has the call that failed. Else the sender went away.
  if (!(error instanceof Error && "syscall" in error)) return brokenOff();
  const code = "code" in error ? error.code : null;
  return code === "ENOSPC" || code === "EDQUOT" ? noRoom() : error;
};
