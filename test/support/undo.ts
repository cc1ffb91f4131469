import type { FiledChild } from "../../src/domain/tasks/child.ts";
import type { Payload } from "../../src/domain/base/payload.ts";
import { type Act, startUndo, type Undoing, type UndoPlan } from "../../src/domain/history/undo.ts";
import { NOON } from "./server.ts";

export const BOT = { kind: "api_key", id: "bot" } as const;
export const CAT = { kind: "api_key", id: "cat" } as const;
export const ANN = { kind: "session", id: "phone" } as const;
/** Ann undid something on her page. */
export const UNDO = { kind: "person", id: null } as const;

type Who = typeof ANN | typeof BOT | typeof CAT | typeof UNDO;
/** What someone made of the record. */
export type Version = readonly [by: Who, payload: Payload];

/**
 * Everything that was done to a record, newest first. The bot's actions are those to undo; `null`
 * means that the record did not exist.
 */
export const actsOf = (first: Payload | null, versions: readonly Version[]): readonly Act[] =>
  versions
    .map(([by, payload], index): Act => {
      const before = index === 0 ? first : (versions[index - 1]?.[1] ?? null);
      return {
        mine: by === BOT,
        undoes: by === UNDO,
        at: NOON + index,
        by,
        before: before && { payload: before, deletedAt: null },
        after: { payload, deletedAt: null },
      };
    })
    .toReversed();

/** Undoes the bot's actions on a record with only these versions. */
export const undo = (
  first: Payload | null,
  versions: readonly Version[],
  filed: readonly FiledChild[] = [],
): UndoPlan => planUndo(versions.at(-1)?.[1] ?? {}, filed, actsOf(first, versions));

/** The plan by all of these acts. */
export const planUndo = (
  payload: Payload,
  filed: readonly FiledChild[],
  acts: readonly Act[],
): UndoPlan => {
  const planning = startUndo(payload, filed);
  for (const act of acts) planning.add(act);
  return planning.plan();
};

/** Each step of the undo as a short text, with who changed it since. */
export const summaryOf = ({ undoings }: UndoPlan): readonly string[] =>
  undoings.map(({ what, to, state, changedBy }: Undoing) =>
    [what, to ?? "null", state, ...(changedBy ? [changedBy.id ?? changedBy.kind] : [])].join(" "),
  );

/** Something that the bot filed, and where it is now. */
export const filed = (
  id: string,
  at: number | null,
  list: "notes" | "pages" = "pages",
): FiledChild => ({
  list,
  id,
  key: "bot",
  createdAt: "",
  at,
});
export const tab = (name: string, id?: string) => ({
  ...(id ? { id } : {}),
  url: `https://${name}/`,
  title: name,
});
export const pages = (...items: readonly unknown[]): Payload => ({ pages: items });
