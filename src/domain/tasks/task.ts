import type { Author } from "../people/caller.ts";
import { type ChildList, type FiledChild, isChild } from "./child.ts";
import { formatInstant, type Instant } from "../base/instant.ts";
import { type Note, readNotes } from "./note.ts";
import { listField, type Payload, textField } from "../base/payload.ts";
import { readTabs, type Tab } from "./tab.ts";
import { isPrintable, rowText } from "../base/text.ts";

export const MAX_TITLE = 500;
export const MAX_COLOUR = 64;
export const MAX_STATUS = 64;
export const DEFAULT_STATUS = "todo";

/** What the extension is known to use. */
export const KNOWN_STATUSES = ["todo", "in_progress", "blocked", "in_review", "done", "cancelled"];

/** The task that takes the tabs sent to `/inbox/tabs` (specification, section 2). */
export const INBOX_TITLE = "Agent unsorted";

/** Statuses with which a task no longer counts as open. Any other status, known or not, is open. */
export const CLOSED_STATUSES = ["done", "completed", "closed", "cancelled", "canceled", "archived"];

export const isClosed = (status: string): boolean => CLOSED_STATUSES.includes(status);

/** The extension owns its statuses: any 1 to 64 printable characters are kept as sent. */
export const isStatus = (text: string): boolean =>
  text.length >= 1 && text.length <= MAX_STATUS && isPrintable(text);

/** What REST knows of a task's payload, read tolerantly. */
export type TaskFields = {
  readonly title: string;
  readonly status: string;
  readonly colour: string | null;
  readonly folderId: string | null;
  readonly bucketId: string | null;
};

/** A task as lists show it; `GET /tasks/{id}` adds `tabs` and `notes`. */
export type TaskRow = Author & {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  readonly colour: string | null;
  readonly folder: string | null;
  readonly project_id: string | null;
  readonly bucket_id: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly deleted_at: string | null;
  readonly tab_count: number;
  readonly note_count: number;
};

export const readTask = (payload: Payload): TaskFields => ({
  title: rowText(textField(payload, "title") ?? ""),
  status: rowText(textField(payload, "status") ?? DEFAULT_STATUS),
  colour: columnField(payload, "colour"),
  folderId: columnField(payload, "project_id"),
  bucketId: columnField(payload, "bucket_id"),
});

export const columnField = (payload: Payload, field: string): string | null => {
  const text = textField(payload, field);
  return text === null ? null : rowText(text);
};

/** A task's tabs and notes, each with who made it. */
export const readChildren = (
  payload: Payload,
  agents: readonly FiledChild[],
): { readonly tabs: Tab[]; readonly notes: Note[] } => ({
  tabs: readTabs(listField(payload, "pages"), agents),
  notes: readNotes(listField(payload, "notes"), agents),
});

const countChildren = (payload: Payload, list: ChildList): number =>
  listField(payload, list).filter(isChild).length;

/** What a record's row says of it beside its payload. */
export type RecordMeta = {
  readonly id: string;
  readonly author: Author;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly deletedAt: string | null;
};

export const taskRow = (meta: RecordMeta, payload: Payload): TaskRow => {
  const fields = readTask(payload);
  return {
    id: meta.id,
    title: fields.title,
    status: fields.status,
    colour: fields.colour,
    folder: fields.folderId,
    project_id: fields.folderId,
    bucket_id: fields.bucketId,
    ...meta.author,
    created_at: formatInstant(meta.createdAt),
    updated_at: formatInstant(meta.updatedAt),
    deleted_at: meta.deletedAt,
    tab_count: countChildren(payload, "pages"),
    note_count: countChildren(payload, "notes"),
  };
};
