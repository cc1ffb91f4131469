import { keyText } from "../domain/base/record.ts";
import { lostTexts } from "./lost.ts";
import type { ClientState, LostText, RefusedChange } from "./state.ts";
import { type Row, shownVersion } from "./store/row.ts";
import {
  type BucketView,
  bucketView,
  type FolderView,
  folderView,
  type TaskView,
  taskView,
  type Viewed,
} from "./views.ts";

/** The part of the state that shows the store's records. */
type Shown = Pick<
  ClientState,
  "buckets" | "deletedTasks" | "folders" | "lost" | "refused" | "tasks" | "waiting"
>;

/** What is shown, and what it takes to show the next change. */
export type Screen = Shown & {
  /** Rows with edits that wait or were refused, or with titles that gave way, by their keys. */
  readonly unsettled: ReadonlyMap<string, Row>;
};

export const EMPTY_SCREEN: Screen = {
  tasks: new Map(),
  folders: new Map(),
  buckets: new Map(),
  deletedTasks: new Map(),
  waiting: 0,
  refused: [],
  lost: [],
  unsettled: new Map(),
};

/** Returns the part of the state that shows what the store holds. */
export const shownOf = ({ unsettled: _own, ...shown }: Screen): Shown => shown;

/** A row, or the key of one that is no longer there. */
export type Change = Row | Pick<Row, "id" | "table">;

/** Returns what is shown after some rows changed. Maps without a change stay the same. */
export const showRows = (screen: Screen, changes: readonly Change[]): Screen => {
  const tasks = editable(screen.tasks);
  const deletedTasks = editable(screen.deletedTasks);
  const folders = editable(screen.folders);
  const buckets = editable(screen.buckets);
  const unsettled = editable(screen.unsettled);
  for (const change of changes) {
    const row = "server" in change ? change : null;
    const viewed = row ? viewedOf(row) : null;
    const live = viewed?.deletedAt === null ? viewed : null;
    switch (change.table) {
      case "sync_tasks": {
        tasks.put(change.id, live && taskView(live));
        const gone = viewed !== null && live === null && hasContent(viewed) ? viewed : null;
        deletedTasks.put(change.id, gone && taskView(gone));
        break;
      }
      case "sync_projects":
        folders.put(change.id, live && folderView(live));
        break;
      case "sync_buckets":
        buckets.put(change.id, live && bucketView(live));
        break;
    }
    unsettled.put(keyText(change), row && (row.edit ?? row.refused ?? row.lost) ? row : null);
  }
  return {
    tasks: tasks.done(),
    deletedTasks: deletedTasks.done(),
    folders: folders.done(),
    buckets: buckets.done(),
    unsettled: unsettled.done(),
    ...counted(unsettled.done(), screen),
  };
};

const viewedOf = (row: Row): Viewed | null => {
  const version = shownVersion(row);
  return (
    version && {
      id: row.id,
      ...version,
      createdBy: row.createdBy,
      createdByKey: row.createdByKey ?? null,
      waits: row.edit !== null && !row.edit.isResent,
      refused: row.refused?.reason ?? null,
    }
  );
};

/** The server empties tombstones after some time. */
const hasContent = ({ payload }: Viewed): boolean => Object.keys(payload).length > 0;

const counted = (
  unsettled: ReadonlyMap<string, Row>,
  before: Screen,
): Pick<Shown, "lost" | "refused" | "waiting"> => {
  if (unsettled === before.unsettled) {
    const { lost, refused, waiting } = before;
    return { lost, refused, waiting };
  }
  const rows = [...unsettled.values()];
  return {
    waiting: rows.filter(({ edit }) => edit !== null && !edit.isResent).length,
    refused: rows.flatMap(refusedChange),
    lost: rows.flatMap(lostOf),
  };
};

const refusedChange = ({ table, id, refused }: Row): readonly RefusedChange[] => {
  if (refused === null) return [];
  const { reason, payload, deletedAt } = refused;
  return [{ table, id, reason, payload, deletedAt }];
};

const lostOf = (row: Row): readonly LostText[] => {
  const { table, id, lost = {} } = row;
  const shown = shownVersion(row);
  return shown?.deletedAt === null ? lostTexts(table, id, shown.payload, lost) : [];
};

type Value = BucketView | FolderView | Row | TaskView;

/** A map that is copied at its first change. */
const editable = <T extends Value>(before: ReadonlyMap<string, T>) => {
  let copy: Map<string, T> | null = null;
  return {
    /** Null removes. */
    put: (key: string, value: T | null): void => {
      if (value === null && !(copy ?? before).has(key)) return;
      copy ??= new Map(before);
      if (value === null) copy.delete(key);
      else copy.set(key, value);
    },
    done: (): ReadonlyMap<string, T> => copy ?? before,
  };
};
