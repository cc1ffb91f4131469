import { isTrashBucket } from "./bucket.ts";
import type { Author } from "../people/caller.ts";
import type { FiledChild } from "./child.ts";
import { folderName, folderRow } from "./folder.ts";
import type { Instant } from "../base/instant.ts";
import type { Payload } from "../base/payload.ts";
import type { Table } from "../base/record.ts";
import { isClosed, type RecordMeta } from "./task.ts";
import { taskRow } from "./task-fields.ts";
import { NO_COLUMNS, type TaskColumns, taskColumns } from "./task-row.ts";

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

/** The columns that queries need. All are a function of the record (and of its bucket). */
export type Projection = TaskColumns & {
  readonly trashed: number;
  readonly live: number;
  readonly open: number;
  readonly row: string;
};

/** The parts of a record that its projection depends on. */
type Projected = Pick<
  Draft,
  "author" | "createdAt" | "deletedAt" | "id" | "payload" | "table" | "updated"
>;

/** Returns the projection of a record. `inTrash` says whether the bucket with an id is a trash bucket. */
export const project = (draft: Projected, inTrash: (bucketId: string) => boolean): Projection => {
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
      const title = folderName(draft.payload);
      return { ...NO_COLUMNS, title, trashed: 0, live: Number(alive), open: 0, row };
    }
    case "sync_buckets": {
      const trashed = Number(isTrashBucket(draft.id, alive ? draft.payload : null));
      return { ...NO_COLUMNS, trashed, live: Number(alive), open: 0, row: "" };
    }
  }
};

const projectTask = (
  meta: RecordMeta,
  payload: Payload,
  alive: boolean,
  inTrash: (bucketId: string) => boolean,
): Projection => {
  const row = taskRow(meta, payload);
  const columns = taskColumns(row);
  const trashed = columns.bucketId !== null && inTrash(columns.bucketId);
  const live = alive && !trashed;
  return {
    ...columns,
    trashed: Number(trashed),
    live: Number(live),
    open: Number(live && !isClosed(row.status)),
    row: JSON.stringify(row),
  };
};
