import type { Payload } from "../../src/domain/base/payload.ts";
import { formatInstant } from "../../src/domain/base/instant.ts";
import type { Table } from "../../src/domain/base/record.ts";
import { type Item, keyOf, type Row } from "./client.ts";
import type { Device } from "./device.ts";
import type { Field, Step } from "./histories.ts";

type Edit = Extract<Step, { do: "edit" }>;

/** Values that a field of a task may have: few, so that earlier ones come back. */
const VALUES: Readonly<Record<Field, readonly (string | null)[]>> = {
  title: ["milk", "bread", "tea"],
  status: ["todo", "done", "blocked"],
  colour: [null, "red", "blue"],
  project_id: [null, "p1", null],
  bucket_id: [null, "b1", "trash"],
};

export const valueOf = (field: Field, value: number): string | null => VALUES[field][value] ?? null;

const IDS: Readonly<Record<Table, readonly string[]>> = {
  sync_tasks: ["t1", "t2"],
  sync_projects: ["p1"],
  sync_buckets: ["b1", "trash"],
};

/** A person changes a record that the device knows, or makes one. `text` was never used before. */
export const edit = (device: Device, step: Edit, text: string): void => {
  const { table } = step;
  const id = idOf(device, step);
  const payload = device.records.get(keyOf({ table, id }))?.payload ?? {};
  if (step.act === "delete") return put(device, { table, id, payload }, { deleted: true });
  if (table !== "sync_tasks")
    return put(device, { table, id, payload: { ...payload, ...place(step) } });
  if (step.act === "move agents' child") return move(device, id, payload, step);
  const changed = alter({ title: "new", ...payload }, step, text);
  put(device, { table, id, payload: withoutIds(device, changed) });
};

/** A person who removes what an agent filed picks a task that has something to remove. */
const idOf = (device: Device, { table, pick, act }: Edit): string => {
  const known = [...device.records.values()].filter((row) => row.table === table);
  const filed = known.filter(({ payload }) =>
    [...listOf(payload, "pages"), ...listOf(payload, "notes")].some(isAgents),
  );
  const there = act.includes("agents'") && filed.length > 0;
  const ids = (there ? filed : known).map(({ id }) => id);
  const all = there ? ids : [...new Set([...IDS[table], ...ids])];
  return all[pick % all.length] ?? "";
};

const place = ({ value }: Edit): Payload => ({
  name: VALUES.title[value],
  kind: value === 2 ? "trash" : "column",
});

const alter = (payload: Payload, { act, field, value, pick }: Edit, text: string): Payload => {
  const set = (name: string, to: unknown): Payload => ({ ...payload, [name]: to });
  const [pages, notes] = [listOf(payload, "pages"), listOf(payload, "notes")];
  switch (act) {
    case "add tab":
      return set("pages", [...pages, { id: text, url: text }]);
    case "add note":
      return set("notes", [...notes, { id: text, text }]);
    case "remove agents' child":
      return without(payload, pick, isAgents);
    case "remove own child":
      return without(payload, pick, (item) => !isAgents(item));
    case "send without tabs": {
      const { pages: _pages, ...rest } = payload;
      return rest;
    }
    case "set field of the extension's":
      return set("extra", text);
    default:
      return set(field, valueOf(field, value));
  }
};

export const listOf = (payload: Payload, list: string): readonly Item[] =>
  Array.isArray(payload[list]) ? (payload[list] as readonly Item[]) : [];

/** Whether an agent filed it: their tabs and notes have "agent" in them. */
const isAgents = ({ url, text }: Item): boolean => (url ?? text ?? "").includes("agent");

const without = (payload: Payload, pick: number, which: (item: Item) => boolean): Payload => {
  const all = ["pages", "notes"].flatMap((list) =>
    listOf(payload, list).flatMap((item) => (which(item) ? [{ list, item }] : [])),
  );
  const chosen = all[pick % all.length];
  if (!chosen) return payload;
  const { list, item: gone } = chosen;
  return { ...payload, [list]: listOf(payload, list).filter((item) => item !== gone) };
};

/** A person moves a tab that an agent filed into another task. */
const move = (device: Device, from: string, payload: Payload, { pick }: Edit): void => {
  const pages = listOf(payload, "pages");
  const moved = pages.find(isAgents);
  const to = pick % 2 === 0 ? "t1" : "t2";
  if (!moved || from === to) return;
  const table = "sync_tasks";
  const there = device.records.get(keyOf({ table, id: to }))?.payload ?? { title: "new" };
  const left = { ...payload, pages: pages.filter((item) => item !== moved) };
  const arrived = { ...there, pages: [...listOf(there, "pages"), moved] };
  put(device, { table, id: from, payload: withoutIds(device, left) });
  put(device, { table, id: to, payload: withoutIds(device, arrived) });
};

const withoutIds = ({ habits }: Device, payload: Payload): Payload => {
  if (habits.keepsIds) return payload;
  const lists = (["pages", "notes"] as const).filter((list) => Array.isArray(payload[list]));
  const items = (list: string) => listOf(payload, list).map(({ id: _id, ...item }) => item);
  return { ...payload, ...Object.fromEntries(lists.map((list) => [list, items(list)])) };
};

const put = (
  device: Device,
  { table, id, payload }: Pick<Row, "id" | "payload" | "table">,
  { deleted = false } = {},
): void => {
  const updated_at = formatInstant(device.now());
  const row = { table, id, updated_at, deleted_at: deleted ? updated_at : null, payload };
  const before = device.records.get(keyOf(row));
  if (!device.drafts.has(keyOf(row))) device.drafts.set(keyOf(row), before?.updated_at);
  device.records.set(keyOf(row), row);
};
