import type { Database } from "bun:sqlite";

// What the floor reads and replies.

type Holder = { readonly id: string; readonly accountId: number };
type Account = {
  readonly uid: string;
  readonly email: string;
  readonly plan: string;
  readonly hw: number;
};
type Task = { readonly row: string; readonly payload: string };
type Place = { readonly id: string; readonly changedAt: number };
type Listed = Place & { readonly row: string };
type Synced = Place & {
  readonly updatedAt: string;
  readonly deletedAt: string | null;
  readonly payload: string;
  readonly createdBy: string;
  readonly createdByKey: string | null;
};
type Child = Readonly<Record<"id" | "text" | "title" | "url", string>>;

export const prepareReads = (db: Database) => ({
  session: db.query<Holder, [Buffer]>(
    "SELECT id, account_id AS accountId FROM session WHERE digest = ?",
  ),
  key: db.query<Holder, [Buffer]>(
    "SELECT id, account_id AS accountId FROM api_key WHERE digest = ?",
  ),
  account: db.query<Account, [number]>("SELECT uid, email, plan, hw FROM account WHERE id = ?"),
  epoch: db.query<{ epoch: string }, []>("SELECT epoch FROM server"),
  tasks: db.query<Listed, [number]>(
    `SELECT row, changed_at AS changedAt, id FROM record WHERE account_id = ? AND tbl = 'sync_tasks' AND live = 1 AND open = 1
     ORDER BY changed_at DESC, id DESC LIMIT 51`,
  ),
  task: db.query<Task, [number, string]>(
    "SELECT row, payload FROM record WHERE account_id = ? AND tbl = 'sync_tasks' AND id = ?",
  ),
  chunk: db.query<Synced, [number, string, number, string]>(
    `SELECT id, changed_at AS changedAt, updated_at AS updatedAt, deleted_at AS deletedAt, payload,
       created_by AS createdBy, created_by_key AS createdByKey
     FROM record WHERE account_id = ? AND tbl = ? AND (changed_at, id) > (?, ?)
     ORDER BY changed_at, id LIMIT 256`,
  ),
  activity: db.query<null, [number, string, number]>(
    `INSERT INTO activity (account_id, key_id, at, method, route, status, client, took_token, count)
     VALUES (?, ?, ?, 'GET', '/me', 200, 'bench', 1, 1)`,
  ),
});

type Sql = ReturnType<typeof prepareReads>;

/** Finds the holder of a credential by its digest. */
export const holderOf = (find: Sql["key"], request: Request): Holder => {
  const token = request.headers.get("authorization")?.slice("Bearer ".length) ?? "";
  return known(find.get(new Bun.CryptoHasher("sha256").update(token).digest()));
};

export type Reply = ReadableStream<Uint8Array> | string;

export const list = (sql: Sql, { accountId }: Holder): Reply => {
  const rows = sql.tasks.all(accountId);
  const last = rows.length > 50 ? rows[49] : undefined;
  const next = last ? `"${last.changedAt}.${last.id}"` : "null";
  const shown = rows.slice(0, 50).map(({ row }) => row);
  const tail = `"next_cursor":${next},"server_time":"${new Date().toISOString()}"`;
  return `{"tasks":[${shown.join(",")}],${tail}}`;
};

export const task = (sql: Sql, { accountId }: Holder, id: string): Reply => {
  const { row, payload } = known(sql.task.get(accountId, id));
  const { pages, notes } = JSON.parse(payload) as { pages: Child[]; notes: Child[] };
  const tabs = pages.map((page) => ({ id: page.id, url: page.url, title: page.title, ...PERSON }));
  const texts = notes.map((note) => ({ id: note.id, text: note.text, ...PERSON }));
  const [first, second] = [JSON.stringify(tabs), JSON.stringify(texts)];
  return `${row.slice(0, -1)},"tabs":${first},"notes":${second}}`;
};

const PERSON = { created_by: "person", created_by_key: null, created_at: null };

export const me = (sql: Sql, { accountId }: Holder): Reply => {
  const { uid, email, plan } = known(sql.account.get(accountId));
  const rest = {
    credential: "api_key",
    scopes: ["read", "write"],
    restriction: null,
    expires_at: null,
  };
  return JSON.stringify({ id: uid, email, plan, ...rest });
};

/** The call's row in the activity list is on the disk before the reply. */
export const recordedMe = (sql: Sql, holder: Holder): Reply => {
  const reply = me(sql, holder);
  sql.activity.run(holder.accountId, holder.id, Date.now());
  return reply;
};

/** All records after `since`, or all records. */
export const pull = (sql: Sql, { accountId }: Holder, since: string | undefined): Reply => {
  const { hw } = known(sql.account.get(accountId));
  const from = since === undefined ? -1 : Date.parse(since);
  const time = new Date(Math.max(hw, Date.now())).toISOString();
  const epoch = known(sql.epoch.get()).epoch;
  const head = `{"server_time":"${time}","epoch":"${epoch}","has_more":false,"changes":{`;
  if (hw > from) return streamed(pieces(sql, accountId, from, head));
  return `${head}"sync_tasks":[],"sync_projects":[],"sync_buckets":[]}}`;
};

function* pieces(sql: Sql, accountId: number, from: number, head: string): Generator<string> {
  let text = head;
  for (const table of ["sync_tasks", "sync_projects", "sync_buckets"]) {
    text += `${table === "sync_tasks" ? "" : ","}"${table}":[`;
    let place: Place | undefined = { changedAt: from, id: "" };
    for (let comma = ""; place; comma = ",") {
      const rows: Synced[] = sql.chunk.all(accountId, table, place.changedAt, place.id);
      if (rows.length > 0) yield text + comma + rows.map(rowText).join(",");
      if (rows.length > 0) text = "";
      place = rows[255];
    }
    text += "]";
  }
  yield `${text}}}`;
}

const rowText = ({ id, updatedAt, deletedAt, payload, ...by }: Synced): string => {
  const deleted = deletedAt === null ? "null" : `"${deletedAt}"`;
  const head = `"id":"${id}","updated_at":"${updatedAt}","deleted_at":${deleted}`;
  const key =
    by.createdByKey === null ? "" : `,"created_by_key":${JSON.stringify(by.createdByKey)}`;
  const author = `"created_by":"${by.createdBy}"${key}`;
  return `{${head},"payload":${payload},${author}}`;
};

/** Each piece is read in its own turn of the event loop, when the client is ready for it. */
const streamed = (texts: Generator<string>): ReadableStream<Uint8Array> => {
  const encoder = new TextEncoder();
  return new ReadableStream({
    pull: async (controller) => {
      await new Promise((resolve) => setImmediate(resolve));
      const { value, done } = texts.next();
      if (done) return controller.close();
      controller.enqueue(encoder.encode(value));
    },
  });
};

const known = <Row>(row: Row | null): Row => {
  if (row === null) throw new Error("The bench asked for what is not there.");
  return row;
};
