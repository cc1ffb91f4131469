// One set of data that all examples in the document share.

const AT = "2026-03-04T12:00:00.000Z";
const BY_KEY = { created_by: "agent", created_by_key: "helper" };
const BY_PERSON = { created_by: "person", created_by_key: null };
const TASK_ID = "0199a3c4-7d1e-7b3a-9f50-2c6d1e8a4b77";
const FOLDER_ID = "0199a3c0-11f2-7c44-8d0a-6b1f0c2d3e4f";

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

export const TASK_ROW = {
  id: TASK_ID,
  title: "Plan the trip to Lisbon",
  status: "todo",
  colour: null,
  folder: FOLDER_ID,
  project_id: FOLDER_ID,
  bucket_id: null,
  ...BY_KEY,
  created_at: AT,
  updated_at: AT,
  deleted_at: null,
  tab_count: 1,
  note_count: 1,
};

export const TASK = { ...TASK_ROW, tabs: [TAB], notes: [NOTE] };

export const INBOX_ROW = {
  ...TASK_ROW,
  title: "Agent unsorted",
  folder: null,
  project_id: null,
  note_count: 0,
};

export const FOLDER = {
  id: FOLDER_ID,
  name: "Travel",
  colour: "teal",
  ...BY_PERSON,
  created_at: AT,
  updated_at: AT,
  deleted_at: null,
  task_count: 1,
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
};

export const NOW = AT;
