import type { Database } from "bun:sqlite";
import { keep } from "./_floor_history.ts";
import { type Holder, type Page, type Payload, putTask, type Sql } from "./_floor_rows.ts";

type Change = {
  readonly table: string;
  readonly id: string;
  readonly updated_at: string;
  readonly payload: Payload;
};

/** A push: newer records replace older ones, all in one transaction. */
export const push = (
  db: Database,
  sql: Sql,
  holder: Holder,
  body: unknown,
  whole: boolean,
): Response => {
  const { accountId, id: sessionId } = holder;
  const now = Date.now();
  let [applied, history] = [0, 0];
  db.run("BEGIN IMMEDIATE");
  const stamp = Math.max(now, (sql.hw.get(accountId)?.hw ?? 0) + 1);
  for (const { table, id, updated_at: updatedAt, payload } of body as readonly Change[]) {
    const before = sql.find.get(accountId, table, id);
    const updated = Date.parse(updatedAt);
    if (before && before.updated >= updated) continue;
    const createdAt = before?.createdAt ?? now;
    const task = { id, payload, updated, updatedAt, createdAt, pushed: true, filed: null };
    const former = before && whole ? (JSON.parse(before.payload) as Payload) : null;
    putTask(sql, holder, task, stamp);
    if (before && former) history += keep(sql, holder, task, { before, former, now, stamp });
    applied += 1;
  }
  sql.stamp.run(stamp, history, accountId);
  sql.count.run(now, applied, sessionId);
  db.run("COMMIT");
  return Response.json({ applied, rejected: [], merged: [], invalid: [] });
};

/** Files a task, in one transaction. */
export const createTask = (db: Database, sql: Sql, holder: Holder, body: unknown): Response => {
  const { title, tabs, notes } = body as { title: string; tabs: Page[]; notes: string[] };
  const now = Date.now();
  const at = new Date(now).toISOString();
  const maker = { created_by: "person", created_by_key: null, created_at: at };
  const item = () => ({ id: Bun.randomUUIDv7(), ...maker });
  const pages = tabs.map((tab) => ({ ...item(), url: tab.url, title: tab.title }));
  const texts = notes.map((text) => ({ ...item(), text }));
  const places = { colour: null, project_id: null, bucket_id: null };
  const payload = { title, status: "todo", ...places, pages, notes: texts };
  db.run("BEGIN IMMEDIATE");
  const stamp = Math.max(now, (sql.hw.get(holder.accountId)?.hw ?? 0) + 1);
  const filed = JSON.stringify([...filedIn("pages", pages, at), ...filedIn("notes", texts, at)]);
  const times = { updated: now, updatedAt: at, createdAt: now };
  const task = { id: Bun.randomUUIDv7(), payload, ...times, pushed: false, filed };
  const row = putTask(sql, holder, task, stamp);
  sql.stamp.run(stamp, 0, holder.accountId);
  db.run("COMMIT");
  const children = `"tabs":${JSON.stringify(pages)},"notes":${JSON.stringify(texts)}`;
  const init = { status: 201, headers: { "content-type": "application/json;charset=utf-8" } };
  return new Response(`${row.slice(0, -1)},${children}}`, init);
};

/** The tabs or notes that were filed, as Docket records them beside the payload. */
const filedIn = (list: string, items: readonly { readonly id: string }[], createdAt: string) =>
  items.map(({ id }, at) => ({ list, id, key: null, person: true, createdAt, at }));
