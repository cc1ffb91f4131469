import type { Author } from "../people/caller.ts";
import { formatInstant } from "../base/instant.ts";
import type { Payload } from "../base/payload.ts";
import { columnField, type RecordMeta } from "./task.ts";

export const MAX_NAME = 200;

/** A folder (`project` on the wire) as its row holds it; lists add `task_count`. */
export type FolderRow = Author & {
  readonly id: string;
  readonly name: string;
  readonly colour: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly deleted_at: string | null;
};

export const folderName = (payload: Payload): string => columnField(payload, "name") ?? "";

export const folderRow = (meta: RecordMeta, payload: Payload): FolderRow => ({
  id: meta.id,
  name: folderName(payload),
  colour: columnField(payload, "colour"),
  ...meta.author,
  created_at: formatInstant(meta.createdAt),
  updated_at: formatInstant(meta.updatedAt),
  deleted_at: meta.deletedAt,
});
