import type { Database, Statement } from "bun:sqlite";

// The rows that the floor writes: the same as Docket for the benchmark's requests.

export type Holder = { readonly id: string; readonly accountId: number };
export type Page = { readonly id: string; readonly url: string; readonly title: string };
type Note = { readonly id: string; readonly text: string };
export type Payload = {
  readonly title: string;
  readonly status: string;
  readonly colour: string | null;
  readonly project_id: string | null;
  readonly bucket_id: string | null;
  readonly pages: readonly Page[];
  readonly notes: readonly Note[];
};
export type Stored = {
  readonly updated: number;
  readonly updatedAt: string;
  readonly payload: string;
  readonly createdAt: number;
  readonly writerKind: string;
  readonly writerId: string;
};
export type Task = {
  readonly id: string;
  readonly payload: Payload;
  readonly updated: number;
  readonly updatedAt: string;
  readonly createdAt: number;
  readonly pushed: boolean;
  readonly filed: string | null;
};

const COLUMNS =
  `account_id, tbl, id, payload, size, updated, updated_at, changed_at, pushed_at, created_at,
  created_by, agent_children, title, status, folder_id, bucket_id, trashed, live, open, row, pushed_content,
  protected_at, writer_kind, writer_id`.split(/,\s*/);

const REPLACED = COLUMNS.slice(3).map((name) => `${name} = excluded.${name}`);

export const prepareWrites = (db: Database) => ({
  find: db.query<Stored, [number, string, string]>(
    `SELECT updated, updated_at AS updatedAt, payload, created_at AS createdAt, writer_kind AS writerKind,
       writer_id AS writerId
     FROM record WHERE account_id = ? AND tbl = ? AND id = ?`,
  ),
  put: db.query(
    `INSERT INTO record (${COLUMNS.join(", ")}) VALUES (${COLUMNS.map(() => "?").join(", ")})
     ON CONFLICT (account_id, tbl, id) DO UPDATE SET ${REPLACED.join(", ")}`,
  ),
  keep: db.query(
    `INSERT INTO version (account_id, tbl, record_id, at, stamp, loss, updated_at, writer_kind, writer_id, by_kind,
       by_id, difference, size, via)
     VALUES (?, ?, ?, ?, ?, 'edited', ?, ?, ?, 'session', ?, ?, ?, 'sync')`,
  ),
  hw: db.query<{ hw: number }, [number]>("SELECT hw FROM account WHERE id = ?"),
  stamp: db.query("UPDATE account SET hw = ?, history_size = history_size + ? WHERE id = ?"),
  count: db.query(
    "UPDATE session SET last_sync_at = ?, applied = coalesce(applied, 0) + ? WHERE id = ?",
  ),
});

export type Sql = ReturnType<typeof prepareWrites>;

/** Returns the task's list row. */
export const putTask = (
  sql: Sql,
  { accountId, id: sessionId }: Holder,
  task: Task,
  stamp: number,
): string => {
  const { id, payload, updated, updatedAt, createdAt, pushed, filed } = task;
  const { title, status, project_id, bucket_id } = payload;
  const text = JSON.stringify(payload);
  const row = JSON.stringify(rowOf(task));
  const content = pushed ? `applied ${Bun.hash(`live ${text}`).toString(36)}` : null;
  const size = Buffer.byteLength(text);
  const times = [updated, updatedAt, stamp, pushed ? updated : null, createdAt] as const;
  const projection = [title, status, project_id, bucket_id, 0, 1, 1, row] as const;
  const head = [accountId, "sync_tasks", id, text, size] as const;
  const marks = [content, pushed ? null : stamp, "session", sessionId] as const;
  const values = [...head, ...times, "person", filed, ...projection, ...marks];
  (sql.put as Statement).run(...values);
  return row;
};

const rowOf = ({ id, payload, createdAt, updated }: Task) => ({
  id,
  title: payload.title,
  status: payload.status,
  colour: payload.colour,
  folder: payload.project_id,
  project_id: payload.project_id,
  bucket_id: payload.bucket_id,
  created_by: "person",
  created_by_key: null,
  created_at: new Date(createdAt).toISOString(),
  updated_at: new Date(updated).toISOString(),
  deleted_at: null,
  due: null,
  tags: [],
  position: null,
  folder_name: null,
  tab_count: payload.pages.length,
  note_count: payload.notes.length,
});
