import type { Restriction } from "../../../src/domain/people/api-key.ts";
import { SHARED_URL } from "../restrictions.ts";
import { change, newcomer } from "../replies.ts";
import type { Answer, Person, TestServer } from "../server.ts";

/**
 * A person whose folders work and garden have the same content in every account here, and a key
 * restricted to them.
 */
export const settle = async (server: TestServer, restriction: Restriction): Promise<Side> => {
  const person = await newcomer(server);
  const page = { pages: [{ id: "p", url: SHARED_URL, title: "page" }] };
  const body = [
    change("sync_projects", "work", { name: "Work" }),
    change("sync_projects", "garden", { name: "Garden" }),
    change("sync_tasks", "inside", { title: "inside", project_id: "work", ...page }),
    change("sync_tasks", "done", { title: "done", project_id: "garden", status: "done" }),
  ];
  await server.call("POST", "/sync", { token: person.session, body });
  const token = await person.key(["read", "write"], "bot", restriction);
  return { server, person, token, ids: [], names: new Map(), etags: ['"none"'], cursor: "" };
};

/** One of two accounts that differ only in what the key cannot see. */
type Side = {
  readonly server: TestServer;
  readonly person: Person;
  readonly token: string;
  /** The ids of what the key created, in order. */
  readonly ids: string[];
  /** The names that stand for generated ids when two accounts are compared. */
  readonly names: Map<string, string>;
  readonly etags: string[];
  cursor: string;
};

/** A call with the key. The records that it names are looked up in each account. */
export type KeyCall = {
  readonly method: string;
  readonly path: string;
  readonly thing?: string;
  readonly body?: unknown;
  readonly once?: string | undefined;
  readonly match?: number | undefined;
};

const idOf = ({ ids }: Side, name: string): string =>
  /^\d$/.test(name) ? (ids[Number(name)] ?? "none") : name;

/**
 * The key's reply in a form that can be compared: generated ids are replaced by their order, and
 * times stay as they are.
 */
export const ask = async (side: Side, one: KeyCall): Promise<unknown> => {
  const path = one.path
    .replace("ID", idOf(side, one.thing ?? ""))
    .replace("CURSOR", encodeURIComponent(side.cursor));
  const headers = {
    ...(one.once === undefined ? {} : { "idempotency-key": one.once }),
    ...(one.match === undefined ? {} : { "if-match": side.etags.at(-one.match) ?? '"none"' }),
  };
  const answer = await side.server.call(one.method, path, {
    token: side.token,
    body: one.body,
    headers,
  });
  learn(side, answer, !path.includes("dry_run"));
  const cursor = answer.json?.next_cursor as string | undefined;
  // Every reply that the server sends within one millisecond moves the stamp at the start of the
  // cursor.
  const place =
    cursor &&
    Buffer.from(cursor, "base64url")
      .toString()
      .replace(/^\[\d+/, "[");
  const text = JSON.stringify({ ...answer.json, ...(cursor ? { next_cursor: place } : {}) });
  const replayed = answer.headers.get("idempotency-replayed");
  return [answer.status, nameIds(side, text), answer.headers.has("etag"), replayed];
};

const learn = (side: Side, { json, headers, status }: Answer, done: boolean): void => {
  if (json?.next_cursor) side.cursor = json.next_cursor as string;
  const etag = headers.get("etag");
  if (etag !== null) side.etags.push(etag);
  const id = (json?.task?.id ?? (json?.title === undefined ? undefined : json.id)) as string;
  if (done && status === 201 && id !== undefined && !side.ids.includes(id)) side.ids.push(id);
};

const nameIds = ({ names }: Side, text: string): string =>
  text.replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => {
    const name = names.get(id) ?? `<${names.size}>`;
    names.set(id, name);
    return name;
  });

type Row = { readonly id: string; readonly payload: { readonly project_id?: string | null } };

/** What the person has, split by whether the key may see it. */
export const holdings = async ({ server, person, ids }: Side, restriction: Restriction) => {
  const { json } = await server.call("GET", "/sync", { token: person.session });
  const tasks = json.changes.sync_tasks as readonly Row[];
  const within = ({ id, payload }: Row): boolean =>
    restriction.kind === "inbox"
      ? ids.includes(id)
      : restriction.folders.includes(payload.project_id ?? "");
  const others = tasks.filter((row) => !within(row));
  return {
    inside: tasks.filter(within).map(({ id }) => id),
    outside: [others, json.changes.sync_projects, json.changes.sync_buckets] as unknown,
  };
};
