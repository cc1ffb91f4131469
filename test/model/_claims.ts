import { keyOf, type PushReply, type Row, valuesIn } from "../_client.ts";
import type { Device, Sent } from "../_device.ts";
import type { AgentCall, Filed, StoredRow } from "../_world.ts";
import { canonical } from "./_lww.ts";

/** What a person changed with the newest version of a record that any device pushed. */
type EditClaim = {
  readonly updated: number;
  readonly set: ReadonlyMap<string, unknown>;
  readonly added: readonly string[];
};

/**
 * What was promised to people and agents, told by the true time: what a device really had in its store, not
 * what can be known of it.
 */
export type Claims = {
  /** Tabs and notes that agents filed, by url or text, and their task. */
  readonly children: Map<string, string>;
  readonly edits: Map<string, EditClaim>;
  /** The values that agents' changes took the place of, by record and field. */
  readonly replaced: Map<string, unknown[]>;
  /** Every version that stood or was refused, by record. */
  readonly versions: Map<string, Set<string>>;
  readonly looked: Map<string, number>;
  /** How often the contract's rule lost what the true time would have kept. */
  readonly counts: { children: number; fields: number };
};

export const newClaims = (): Claims => ({
  children: new Map(),
  edits: new Map(),
  replaced: new Map(),
  versions: new Map(),
  looked: new Map(),
  counts: { children: 0, fields: 0 },
});

/** After a restore nothing is promised that was promised before. */
export const forgetClaims = ({ counts: _counts, ...all }: Claims): void => {
  for (const one of Object.values(all)) one.clear();
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
  const place = `${key} ${call.field}`;
  replaced.set(place, [...(replaced.get(place) ?? []), before?.payload[call.field] ?? null]);
  const edit = edits.get(key);
  if (edit) edits.set(key, { ...edit, set: withoutKey(edit.set, call.field) });
};

const withoutKey = (map: ReadonlyMap<string, unknown>, key: string): ReadonlyMap<string, unknown> =>
  new Map([...map].filter(([one]) => one !== key));

/** A push was answered. `knew` is the contract's word on whether it can have known a filed tab or note. */
export const claimPushed = (
  claims: Claims,
  device: Device,
  { changes, drafts }: Sent,
  reply: PushReply,
  rows: { readonly before: readonly StoredRow[]; readonly after: readonly StoredRow[] },
  knew: (key: string, value: string) => boolean,
): void => {
  for (const change of changes) {
    const key = keyOf(change);
    const [before, after] = [rows.before, rows.after].map((all) =>
      all.find((row) => keyOf(row) === key),
    );
    const draft = drafts.get(key);
    if (!after || !draft) throw new Error(`${key} was pushed and is not there`);
    const reason = reply.rejected.find((one) => keyOf(one) === key)?.reason;
    if (reason === "stale" || reason === "clamped") noteVersion(claims, change);
    for (const [value, task] of claims.children) {
      if (task !== key || after.deleted_at !== null || valuesIn(after).includes(value)) continue;
      const had = device.had.get(value) ?? Number.POSITIVE_INFINITY;
      if (had > draft.moment) {
        if (!knew(key, value)) throw new Error(`${value} is lost: the device never had it`);
        claims.counts.children += 1;
      }
      claims.children.delete(value);
    }
    const isNoOp = before?.changedAt === after.changedAt;
    if (reason === "stale" || (reason === "clamped" && isNoOp)) continue;
    const updated = reason === "clamped" ? after.updated : Date.parse(change.updated_at);
    const newest = claims.edits.get(key)?.updated ?? 0;
    if (updated < newest || (updated === newest && isNoOp)) continue;
    const added = draft.added.filter((value) => valuesIn(change).includes(value));
    claims.edits.set(key, { updated, added, set: standing(claims, key, draft.set, after) });
  }
};

/** The fields of an edit that stand. One that does not must have been put back to what an agent had changed. */
const standing = (
  { replaced, counts }: Claims,
  key: string,
  set: ReadonlyMap<string, unknown>,
  after: Row,
): ReadonlyMap<string, unknown> =>
  new Map(
    [...set].filter(([field, value]) => {
      if ((after.payload[field] ?? null) === value) return true;
      if (!replaced.get(`${key} ${field}`)?.includes(value))
        throw new Error(`${field} of ${key} is not ${String(value)}, which a person set`);
      counts.fields += 1;
      return false;
    }),
  );

/** A person restored or undid: that is their will, and another's claims end there. */
export const claimOwned = (claims: Claims, rows: readonly StoredRow[]): void => {
  for (const row of rows) {
    const key = keyOf(row);
    if (claims.looked.get(key) === row.changedAt) continue;
    const edit = claims.edits.get(key);
    if (edit) claims.edits.set(key, { ...edit, set: new Map(), added: [] });
    for (const [value, task] of claims.children)
      if (task === key && !valuesIn(row).includes(value)) claims.children.delete(value);
  }
};

/** Looks whether everything that was claimed stands, and notes the versions that do. */
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
