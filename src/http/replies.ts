import type { MadeFolder } from "../db/records/folders.ts";
import type { TaskView } from "../db/records/reach.ts";
import { taskChildren, wholeTask } from "../db/records/lookup.ts";
import { readEpoch } from "../db/records/clock.ts";
import { markOf, withRev } from "../domain/base/rev.ts";
import { entityTag } from "../domain/calls/etag.ts";
import { mayRead } from "../domain/people/caller.ts";
import type { RecordRow } from "../domain/records/row.ts";
import { json, jsonList, type TextReply } from "../server/call.ts";
import type { Tabs } from "../server/tasks/fields.ts";
import { type ApiContext, callerOf } from "./route.ts";
import type { TaskPatchBody } from "./schemas.ts";

// The replies of endpoints that read or change one record.

/** Returns a task with its tabs and notes, and its ETag. */
export const showTask = (row: TaskView, context: ApiContext): TextReply => ({
  body: withRev(wholeTask(row), row.changedAt, markFor(context)),
  headers: { etag: entityTag(row) },
});

/** Returns a task as lists show it, and its ETag. To a caller without `read`: its id and what was sent. */
export const showRow = (row: RecordRow, context: ApiContext<unknown, TaskPatchBody>): TextReply =>
  mayRead(callerOf(context))
    ? { body: withRev(row.row, row.changedAt, markFor(context)), headers: { etag: entityTag(row) } }
    : json({ id: row.id, ...context.body });

/** Returns the tabs that were filed: the task's last ones. */
export const showTabs = (row: RecordRow, { body }: ApiContext<unknown, Tabs>): TextReply =>
  json({ tabs: lastTabs(row, body.length) });

/** Returns the tabs that were filed, and the task that they went into: to a caller without `read`, its id alone. */
export const showInboxTabs = (row: RecordRow, context: ApiContext<unknown, Tabs>): TextReply =>
  jsonList(
    "tabs",
    lastTabs(row, context.body.length).map((tab) => JSON.stringify(tab)),
    {
      task: mayRead(callerOf(context))
        ? JSON.parse(withRev(row.row, row.changedAt, markFor(context)))
        : { id: row.id },
    },
  );

/** A task's last `count` tabs. */
const lastTabs = (row: RecordRow, count: number) => taskChildren(row).tabs.slice(-count);

/** Returns the note that was added: the task's last one. */
export const showNote = (row: RecordRow): TextReply => json(taskChildren(row).notes.at(-1));

/** Returns a folder as lists show it. */
export const showProject = ({ text, stamp }: MadeFolder, context: ApiContext): TextReply => ({
  body: withRev(text, stamp, markFor(context)),
});

/** What stands for the epoch of the data in revisions. */
const markFor = ({ store }: ApiContext<unknown, unknown>): string =>
  markOf(readEpoch(store.reader));
