import { isTrashBucket } from "./bucket.ts";
import type { Author } from "../people/caller.ts";
import type { FiledChild } from "./child.ts";
import { folderName, folderRow } from "./folder.ts";
import type { Instant } from "../base/instant.ts";
import type { Payload } from "../base/payload.ts";
import type { Table } from "../base/record.ts";
import { isClosed, type RecordMeta, readTask, taskRow } from "./task.ts";

/** A record that is about to be stored. */
export type Draft = {
  readonly accountId: number;
  readonly table: Table;
  readonly id: string;
  readonly payload: Payload;
  readonly payloadText: string;
  readonly updated: Instant;
  readonly updatedAt: string;
  readonly deletedAt: string | null;
  readonly createdAt: Instant;
  readonly author: Author;
  readonly filed: readonly FiledChild[];
};

/** The columns that queries need, all of them a function of the record (and of its bucket). */
export type Projection = {
  readonly title: string;
  readonly status: string | null;
  readonly folderId: string | null;
  readonly bucketId: string | null;
  readonly trashed: number;
  readonly live: number;
  readonly open: number;
  readonly row: string;
};

const NONE = { title: "", status: null, folderId: null, bucketId: null, open: 0 };

/** `inTrash` tells whether a bucket, by its id, is a trash bucket. */
export const project = (draft: Draft, inTrash: (bucketId: string) => boolean): Projection => {
  const meta: RecordMeta = {
    id: draft.id,
    author: draft.author,
    createdAt: draft.createdAt,
    updatedAt: draft.updated,
    deletedAt: draft.deletedAt,
  };
  const alive = draft.deletedAt === null;
  switch (draft.table) {
    case "sync_tasks":
      return projectTask(meta, draft.payload, alive, inTrash);
    case "sync_projects": {
      const row = JSON.stringify(folderRow(meta, draft.payload));
      return { ...NONE, title: folderName(draft.payload), trashed: 0, live: Number(alive), row };
    }
    case "sync_buckets": {
      const trashed = isTrashBucket(draft.id, alive ? draft.payload : null);
      return { ...NONE, trashed: Number(trashed), live: Number(alive), row: "" };
    }
  }
};

const projectTask = (
  meta: RecordMeta,
  payload: Payload,
  alive: boolean,
  inTrash: (bucketId: string) => boolean,
): Projection => {
  const { title, status, folderId, bucketId } = readTask(payload);
  const trashed = bucketId !== null && inTrash(bucketId);
  const live = alive && !trashed;
  return {
    title,
    status,
    folderId,
    bucketId,
    trashed: Number(trashed),
    live: Number(live),
    open: Number(live && !isClosed(status)),
    row: JSON.stringify(taskRow(meta, payload)),
  };
};
