import { INBOX_TITLE } from "../tasks/task.ts";
import type { RecordRow, RecordWrite } from "./row.ts";

/**
 * A task that left a folder or the inbox: it moved, or is closed, in the trash or deleted. Without a task: a bucket whose
 * tasks went into the trash, or came out of it.
 */
export type Departure = { readonly container: string; readonly taskId: string };

export const INBOX = "inbox";
export const folderKey = (id: string): string => `folder:${id}`;
export const bucketKey = (id: string): string => `bucket:${id}`;

/** Returns what a write takes out of a folder and, if that task is the inbox, out of the inbox. */
export const departuresOf = ({ row, before }: RecordWrite): readonly Departure[] => {
  if (before?.table !== "sync_tasks" || before.live !== 1) return [];
  const { folderId } = before;
  const hasLeft = row.live !== 1 || row.folderId !== folderId;
  return [
    ...(folderId !== null && hasLeft ? [{ container: folderKey(folderId), taskId: row.id }] : []),
    ...(mayBeInbox(before) && !mayBeInbox(row) ? [{ container: INBOX, taskId: row.id }] : []),
  ];
};

const mayBeInbox = ({ open, title }: RecordRow): boolean => open === 1 && title === INBOX_TITLE;
