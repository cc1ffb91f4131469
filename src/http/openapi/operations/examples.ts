import { TASK_FIELDS, type TaskRow } from "../../../domain/tasks/task-fields.ts";

// One set of data that all examples in the document share.

const REV = { rev: "ml1yjh1c-a1b2c3d4e5f6" };

export const TASK_ROW = {
  ...(Object.fromEntries<unknown>(
    Object.entries(TASK_FIELDS).map(([name, { example }]) => [name, example]),
  ) as TaskRow),
  claimed_by: null,
  claimed_until: null,
  ...REV,
};

const AT = TASK_ROW.created_at;
const BY_KEY = { created_by: "agent", created_by_key: TASK_ROW.created_by_key };
const BY_PERSON = { created_by: "person", created_by_key: null };

export const TAB = {
  id: "0199a3c4-7d1e-7b3a-9f50-2c6d1e8a4b78",
  url: "https://trains.example/night?to=Lisbon",
  title: "Night trains",
  ...BY_KEY,
  created_at: AT,
};

export const NOTE = {
  id: "0199a3c4-7d1e-7b3a-9f50-2c6d1e8a4b79",
  text: "The berths sell out in April.",
  ...BY_KEY,
  created_at: AT,
};

export const TASK = { ...TASK_ROW, tabs: [TAB], notes: [NOTE] };

export const CLAIM = {
  id: "0199a3c4-7d1e-7b3a-9f50-2c6d1e8a4b7a",
  task_id: TASK_ROW.id,
  by_key: "helper",
  until: "2026-03-04T14:00:00.000Z",
};

export const INBOX_ROW = {
  ...TASK_ROW,
  title: "Agent unsorted",
  folder: null,
  project_id: null,
  note_count: 0,
};

export const FOLDER = {
  id: TASK_ROW.project_id,
  name: "Travel",
  colour: "teal",
  ...BY_PERSON,
  created_at: AT,
  updated_at: AT,
  deleted_at: null,
  task_count: 1,
  ...REV,
};

export const NEW_TABS = [
  { url: TAB.url, title: TAB.title },
  { url: "https://hotels.example/lisbon" },
];

/** A record as a device pushes it. `SYNC_ROW` is the same record as a pull returns it. */
export const CHANGE = {
  table: "sync_tasks",
  id: "task-7",
  updated_at: "2026-01-31T09:30:00.000Z",
  payload: { title: "Renew the passport", status: "todo", window: { pinned: true } },
};

export const SYNC_ROW = {
  id: CHANGE.id,
  updated_at: CHANGE.updated_at,
  deleted_at: null,
  payload: CHANGE.payload,
  created_by: "person",
  ...REV,
};

/** What the reply to a push says of a record that is stored as it was sent. */
export const REVISED = { table: CHANGE.table, id: CHANGE.id, rev: SYNC_ROW.rev };

export const NOW = AT;
