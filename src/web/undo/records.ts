import { readNames, readContainerNames } from "../../db/history/names.ts";
import type { UndoneRecord } from "../../db/history/undo.ts";
import { type Names, whoIs, type Who } from "../../domain/history/event.ts";
import type { Instant } from "../../domain/base/instant.ts";
import { withNames } from "../../domain/history/container-names.ts";
import type { Undoing } from "../../domain/history/undo.ts";
import type { SignedInContext } from "../shared/page.ts";

/** One thing that a key did, with the names of everyone involved. */
export type NamedUndoing = Undoing & {
  /** Who changed it since; null if nobody did, or if nobody can be named. */
  readonly changer: Who | null;
};

export type NamedRecord = Omit<UndoneRecord, "undoings"> & {
  readonly undoings: readonly NamedUndoing[];
};

/** What would be undone, since when, and up to which version the person has looked. */
export type Plan = {
  readonly since: Instant;
  readonly upTo: number;
  readonly records: readonly NamedRecord[];
  /** Versions from before this instant may be missing; null if none are. */
  readonly missing: Instant | null;
};

/** Adds the names of folders, buckets, keys and devices to what would be undone. */
export const nameRecords = async (
  { store, who }: SignedInContext,
  records: readonly UndoneRecord[],
): Promise<readonly NamedRecord[]> => {
  if (records.length === 0) return [];
  const names = await readNames(store, who.account.id);
  const moves = records.flatMap(({ undoings }) => undoings.map(moveOf));
  const places = await readContainerNames(store, who.account.id, moves);
  return records.map((record) => ({
    ...record,
    undoings: record.undoings.map((undoing) => ({
      ...undoing,
      ...withNames(moveOf(undoing), places),
      changer: changerOf(undoing, names),
    })),
  }));
};

const moveOf = ({ what, from, to }: Undoing) => ({ field: what, from, to });

const changerOf = ({ changedBy }: Undoing, names: Names): Who | null =>
  changedBy && whoIs(changedBy.kind, changedBy.id, names);
