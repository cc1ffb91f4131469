import { keyOf, type PushReply, type Row, valuesIn } from "../support/client.ts";
import type { Device, Draft, Sent } from "../support/device.ts";
import { FIELDS } from "../support/histories.ts";
import type { AgentCall, Filed, StoredRow } from "../support/world.ts";
import { canonical } from "./_lww.ts";

/** What a person changed in the newest version of a record that any device pushed. */
type EditClaim = {
  readonly updated: number;
  readonly set: ReadonlyMap<string, unknown>;
  readonly added: readonly string[];
};

/**
 * What people and agents were promised, judged by the true time: by what a device really had in its
 * store, not by what can be known of it.
 */
export type Claims = {
  /** Tabs and notes that agents filed, by URL or text, with their task. */
  readonly children: Map<string, string>;
  readonly edits: Map<string, EditClaim>;
  /** The values that agents' changes replaced, by record and field. */
  readonly replaced: Map<string, unknown[]>;
  /** Tabs and notes that a person removed by restoring or undoing. */
  readonly takenAway: Set<string>;
  /** Every version that was stored or refused, by record. */
  readonly versions: Map<string, Set<string>>;
  readonly looked: Map<string, number>;
  /** How often the rule lost what the true time would have kept. */
  readonly losses: { children: number; fields: number };
};

export const newClaims = (): Claims => ({
  children: new Map(),
  edits: new Map(),
  replaced: new Map(),
  takenAway: new Set(),
  versions: new Map(),
  looked: new Map(),
  losses: { children: 0, fields: 0 },
});

/** A restore from a backup ends every earlier promise. */
export const forgetClaims = ({ children, edits, versions, looked }: Claims): void => {
  for (const claims of [children, edits, versions, looked]) claims.clear();
};

export const claimFiled = (
  { children, edits, replaced }: Claims,
  call: AgentCall,
  { task, children: filed }: Filed,
  before: StoredRow | undefined,
): void => {
  const key = keyOf({ table: "sync_tasks", id: task });
  for (const { value } of filed) children.set(value, key);
  if (call.act !== "patch") return;
  noteReplaced(replaced, before, call.field);
  const edit = edits.get(key);
  if (edit) edits.set(key, { ...edit, set: withoutKey(edit.set, call.field) });
};

const noteReplaced = (
  replaced: Claims["replaced"],
  row: StoredRow | undefined,
  field: string,
): void => {
  const place = `${row ? keyOf(row) : ""} ${field}`;
  replaced.set(place, [...(replaced.get(place) ?? []), row?.payload[field] ?? null]);
};

const withoutKey = (map: ReadonlyMap<string, unknown>, key: string): ReadonlyMap<string, unknown> =>
  new Map([...map].filter(([one]) => one !== key));

/** A push with its reply, and what it did to the records. */
export type Answered = {
  readonly device: Device;
  readonly sent: Sent;
  readonly reply: PushReply;
  readonly before: readonly StoredRow[];
  readonly after: readonly StoredRow[];
  /** Whether, by the rules, the push can have known a tab or note of a record. */
  readonly knew: (key: string, value: string) => boolean;
};

export const claimPushed = (claims: Claims, push: Answered): void => {
  for (const change of push.sent.changes) {
    const key = keyOf(change);
    const [before, after] = [push.before, push.after].map((all) =>
      all.find((row) => keyOf(row) === key),
    );
    const draft = push.sent.drafts.get(key);
    if (!after || !draft) throw new Error(`${key} was pushed and is not there`);
    const reason = push.reply.rejected.find((one) => keyOf(one) === key)?.reason;
    if (reason === "stale" || reason === "clamped") noteVersion(claims, change);
    for (const value of missing(claims, key, after)) lose(claims, push, key, value, draft);
    const isNoOp = before?.changedAt === after.changedAt;
    if (reason === "stale" || (reason === "clamped" && isNoOp)) continue;
    const updated = reason === "clamped" ? after.updated : Date.parse(change.updated_at);
    const newest = claims.edits.get(key)?.updated ?? 0;
    if (updated > newest || (updated === newest && !isNoOp))
      claimEdit(claims, change, draft, after, updated);
  }
};

/** What agents filed into a live task and is not in it. */
const missing = ({ children }: Claims, key: string, row: StoredRow): readonly string[] =>
  row.deleted_at === null
    ? [...children].flatMap(([value, task]) =>
        task === key && !valuesIn(row).includes(value) ? [value] : [],
      )
    : [];

/** A device may remove what it had in its store when it made the edit. */
const lose = (
  { children, losses }: Claims,
  { device, knew }: Answered,
  key: string,
  value: string,
  { moment }: Draft,
): void => {
  const had = device.had.get(value) ?? Number.POSITIVE_INFINITY;
  if (had > moment && !knew(key, value))
    throw new Error(`${value} is lost: the device never had it`);
  if (had > moment) losses.children += 1;
  children.delete(value);
};

const claimEdit = (
  claims: Claims,
  change: Row,
  draft: Draft,
  after: StoredRow,
  updated: number,
): void => {
  const key = keyOf(change);
  // What is in a tombstone is deleted, unless a person restored the record meanwhile.
  const set = change.deleted_at === null ? draft.set : NONE;
  const there = change.deleted_at === null ? valuesIn(change) : [];
  const added = draft.added.filter(
    (value) => there.includes(value) && !claims.takenAway.has(value),
  );
  claims.edits.set(key, { updated, added, set: standing(claims, key, set, after) });
};

const NONE: ReadonlyMap<string, unknown> = new Map();

/**
 * The fields of an edit that are still in place. A missing one must have been reset to what an
 * agent had changed.
 */
const standing = (
  { replaced, losses }: Claims,
  key: string,
  set: ReadonlyMap<string, unknown>,
  after: Row,
): ReadonlyMap<string, unknown> =>
  new Map(
    [...set].filter(([field, value]) => {
      if ((after.payload[field] ?? null) === value) return true;
      if (!replaced.get(`${key} ${field}`)?.includes(value))
        throw new Error(`${field} of ${key} is not ${String(value)}, which a person set`);
      losses.fields += 1;
      return false;
    }),
  );

/**
 * A person restored or undid something: that is their will, and ends other people's claims there.
 */
export const claimOwned = (
  claims: Claims,
  before: readonly StoredRow[],
  rows: readonly StoredRow[],
): void => {
  for (const row of rows) {
    const key = keyOf(row);
    if (claims.looked.get(key) === row.changedAt) continue;
    const was = before.find((one) => keyOf(one) === key);
    for (const field of FIELDS) noteReplaced(claims.replaced, was, field);
    for (const value of was ? valuesIn(was) : [])
      if (!valuesIn(row).includes(value)) claims.takenAway.add(value);
    const edit = claims.edits.get(key);
    if (edit) claims.edits.set(key, { ...edit, set: new Map(), added: [] });
    for (const [value, task] of claims.children)
      if (task === key && !valuesIn(row).includes(value)) claims.children.delete(value);
  }
};

/** Checks that everything claimed is still there, and notes the current versions. */
export const lookAtClaims = (claims: Claims, rows: readonly StoredRow[]): void => {
  const found = new Map(rows.map((row) => [keyOf(row), row]));
  for (const [value, task] of claims.children) {
    const row = found.get(task);
    if (!row || (row.deleted_at === null && !valuesIn(row).includes(value)))
      throw new Error(`${value} is not in ${task} any more`);
  }
  for (const [key, { set, added }] of claims.edits) {
    const row = found.get(key);
    const lacks = added.filter((value) => row && !valuesIn(row).includes(value));
    const differs = [...set].filter(([field, value]) => (row?.payload[field] ?? null) !== value);
    if (!row || lacks.length + differs.length > 0)
      throw new Error(`a person's ${lacks.join()} ${differs.join()} in ${key} does not stand`);
  }
  for (const row of rows) {
    if (claims.looked.get(keyOf(row)) === row.changedAt) continue;
    claims.looked.set(keyOf(row), row.changedAt);
    noteVersion(claims, row);
  }
};

const noteVersion = ({ versions }: Claims, row: Row): void => {
  const known = versions.get(keyOf(row)) ?? new Set<string>();
  versions.set(keyOf(row), known.add(canonical([row.deleted_at, row.payload])));
};
