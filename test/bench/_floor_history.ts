import type { Holder, Payload, Sql, Stored, Task } from "./_floor_rows.ts";

type Replaced = {
  readonly before: Stored;
  readonly former: Payload;
  readonly now: number;
  readonly stamp: number;
};

/**
 * Stores the version that was replaced, as its difference from the new one. Returns its size in
 * bytes.
 */
export const keep = (
  sql: Sql,
  holder: Holder,
  { id, payload }: Task,
  { before, former, now, stamp }: Replaced,
): number => {
  const text = JSON.stringify(differenceOf(payload, former));
  const size = Buffer.byteLength(text) + 300;
  const who = [before.updatedAt, before.writerKind, before.writerId, holder.id] as const;
  sql.keep.run(holder.accountId, "sync_tasks", id, now, stamp, ...who, text, size);
  return size;
};

/**
 * The fields that differ. Of a list, only the part between its common beginning and its common end.
 */
const differenceOf = (from: Payload, to: Payload) => {
  const set: Record<string, unknown> = {};
  const splice: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(to)) {
    const other = from[field as keyof Payload];
    if (other === value) continue;
    if (!Array.isArray(value) || !Array.isArray(other)) set[field] = value;
    else if (JSON.stringify(other) !== JSON.stringify(value)) splice[field] = between(other, value);
  }
  return {
    ...(Object.keys(set).length > 0 ? { set } : {}),
    ...(Object.keys(splice).length > 0 ? { splice } : {}),
  };
};

const between = (from: readonly unknown[], to: readonly unknown[]) => {
  const shorter = Math.min(from.length, to.length);
  let [head, tail] = [0, 0];
  while (head < shorter && same(from[head], to[head])) head += 1;
  while (tail < shorter - head && same(from.at(-1 - tail), to.at(-1 - tail))) tail += 1;
  return { at: head, remove: from.length - head - tail, items: to.slice(head, to.length - tail) };
};

const same = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);
