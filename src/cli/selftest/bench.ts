import { formatInstant, type Instant, parseInstant } from "../../domain/base/instant.ts";
import { must, wants } from "./expect.ts";
import { Broken } from "./faults.ts";
import type { Answer, Call, Who } from "./client.ts";
import { isObject, LIST, UTC } from "./match.ts";

type Fields = Readonly<Record<string, unknown>>;

export type SyncRow = Fields & {
  readonly table: string;
  readonly id: string;
  readonly updated_at: string;
  readonly deleted_at: string | null;
};

/** A record as it is pushed. */
export type Pushed = {
  readonly table: string;
  readonly id: string;
  readonly updated_at: string;
  readonly deleted_at?: string;
  readonly base_updated_at?: string;
  readonly payload: Fields;
};

/** What the checks work with. */
export type Bench = {
  readonly call: Call;
  /** Whose credentials there are. */
  readonly has: (who: Who) => boolean;
  /** In the id, title or address of everything that this run makes, so that it can be found and deleted. */
  readonly mark: string;
  /** The server's time before the first check, as it wrote it. */
  readonly since: string;
  /** A time `ms` after one minute before the first check. */
  readonly at: (ms: number) => string;
};

/** Asks the server for its time. The clocks of the two machines may differ, and only the server's counts. */
export const startBench = async (call: Call, has: Bench["has"], mark: string): Promise<Bench> => {
  const { since, start } = await serverTime(call);
  const at = (ms: number): string => formatInstant(start - 60_000 + ms);
  return { call, has, mark, since, at };
};

const serverTime = async (call: Call): Promise<{ since: string; start: Instant }> => {
  const { server_time: since } = (await pull(call)).reply;
  const start = parseInstant(String(since));
  if (start === null) throw new Broken("GET /sync has no server_time.");
  return { since: String(since), start };
};

const TABLES = ["sync_tasks", "sync_projects", "sync_buckets"];

/** Pulls what changed since a `server_time`, or everything. */
export const pull = async (call: Call, since?: string) => {
  const query = since === undefined ? "" : `?since=${encodeURIComponent(since)}`;
  const answer = await call("session", "GET", `/sync${query}`);
  const changes = Object.fromEntries(TABLES.map((table) => [table, LIST]));
  wants(answer, 200, { server_time: UTC, changes });
  return { reply: fieldsOf(answer.json), rows: rowsOf(answer) };
};

/** All rows of a pull, each with its table. */
export const rowsOf = ({ json }: Answer): readonly SyncRow[] => {
  const changes = fieldsOf(fieldsOf(json)["changes"]);
  return TABLES.flatMap((table) =>
    listOf(changes[table]).map((row) => ({ ...fieldsOf(row), table }) as unknown as SyncRow),
  );
};

/** The row of a record that must be there. */
export const rowOf = async ({ call }: Bench, id: string): Promise<SyncRow> => {
  const row = (await pull(call)).rows.find((one) => one.id === id);
  must(row !== undefined, `GET /sync does not have the record ${id}.`);
  return row as SyncRow;
};

export const push = ({ call }: Bench, ...records: readonly unknown[]): Promise<Answer> =>
  call("session", "POST", "/sync", { body: records });

/** Pushes records that the server must apply as they are. */
export const pushed = async (bench: Bench, ...records: readonly unknown[]): Promise<void> =>
  wants(await push(bench, ...records), 200, { applied: records.length, rejected: [], invalid: [] });

/** A task as a device pushes it, `ms` after one minute before the first check. */
export const task = (bench: Bench, name: string, ms: number, more: Fields = {}): Pushed => ({
  table: "sync_tasks",
  id: `${bench.mark}-${name}`,
  updated_at: bench.at(ms),
  payload: { title: `${bench.mark} ${name}`, status: "todo", ...more },
});

/** Creates a task through the API. Returns it. */
export const newTask = async (
  { call, mark }: Bench,
  name: string,
  more: Fields = {},
  who: Who = "session",
): Promise<Fields & { readonly id: string }> => {
  const body = { title: `${mark} ${name}`, ...more };
  const answer = await call(who, "POST", "/tasks", { body });
  wants(answer, 201, { title: body.title });
  return { ...fieldsOf(answer.json), id: String(fieldsOf(answer.json)["id"]) };
};

/** The ids of the tasks that a list shows, in its order. */
export const listed = async ({ call }: Bench, query: string): Promise<readonly string[]> => {
  const answer = await call("session", "GET", `/tasks?${query}`);
  wants(answer, 200, { tasks: LIST });
  return listOf(fieldsOf(answer.json)["tasks"]).map((row) => String(fieldsOf(row)["id"]));
};

export const fieldsOf = (value: unknown): Fields => (isObject(value) ? value : {});

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
