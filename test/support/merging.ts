import type { FiledChild } from "../../src/domain/tasks/child.ts";
import { NO_GUARDS } from "../../src/domain/sync/guards.ts";
import { type ChildFinder, mergePush, type StoredState } from "../../src/domain/sync/merge.ts";
import type { Payload } from "../../src/domain/base/payload.ts";
import type { Knowledge } from "../../src/domain/sync/knowledge.ts";
import { changeOf } from "./changes.ts";
import { NOON } from "./server.ts";

export const DELETED = "2026-03-04T12:00:00.000Z";

const nobody: ChildFinder = () => [];

/** What a device knows that saw everything, or nothing since the bot came. */
const all = (seen: boolean): Knowledge => ({
  child: ({ stamp }) => seen || stamp === undefined,
  drop: () => seen,
  field: () => seen,
  mayBeNew: () => false,
});
export const [KNOWS, UNAWARE] = [all(true), all(false)];

export const tab = (name: string) => ({ id: name, url: `https://${name}.example/` });
export const withoutId = (name: string) => ({ url: `https://${name}.example/` });

export const bots = (id: string, at: number | null, more: object = {}): FiledChild => ({
  list: "pages",
  id,
  key: "bot",
  createdAt: DELETED,
  stamp: 5,
  at,
  ...more,
});

export const stored = (payload: Payload, more: Partial<StoredState> = {}): StoredState => ({
  payload,
  deletedAt: null,
  filed: [],
  guards: NO_GUARDS,
  ...more,
});

/** Pushes from ann's phone. Returns the record afterwards, and what the phone hears of it. */
export const push = (
  state: StoredState,
  payload: Payload,
  knowledge: Knowledge,
  {
    deletedAt = null,
    findMovedChildren = nobody,
  }: { deletedAt?: string | null; findMovedChildren?: ChildFinder } = {},
) => {
  const merged = mergePush(state, changeOf(NOON, payload, deletedAt), knowledge, findMovedChildren);
  const where = merged.filed.map(({ id, at }) => [id, at]);
  return { ...merged, where };
};
