import { breathe } from "../../domain/base/breathe.ts";
import { backFrom, type Names, type Step } from "../../domain/history/event.ts";
import type { VersionRow } from "../../domain/history/version.ts";
import { payloadOf, type RecordRow } from "../../domain/records/row.ts";
import type { History } from "../transaction.ts";
import { recordName } from "../../domain/base/record.ts";
import { textField } from "../../domain/base/payload.ts";
import {
  containerKey,
  type ContainerNames,
  containersIn,
  type Move,
} from "../../domain/history/comparison.ts";
import { listKeys } from "../people/api-keys.ts";
import type { Store } from "../store.ts";
import { findRecord } from "../records/find.ts";
import { listSessions } from "../people/sessions.ts";

/**
 * Walks back through a record's stored history, newest first, until `visit` returns that it has seen enough.
 * Reads versions in small batches.
 */
export const walkBack = async (
  history: Pick<History, "before">,
  row: RecordRow,
  visit: (step: Step) => Promise<boolean> | boolean,
): Promise<void> => {
  const back = backFrom(row);
  let last = Number.MAX_SAFE_INTEGER;
  for (;;) {
    const versions: readonly VersionRow[] = await history.before(row, last);
    for (const version of versions) {
      await breathe();
      if (await visit(back(version))) return;
      last = version.id;
    }
    if (versions.length === 0) return;
  }
};

/** The newest step for which the predicate holds. */
export const findStep = async (
  history: Pick<History, "before">,
  row: RecordRow,
  isIt: (step: Step) => boolean,
): Promise<Step | null> => {
  let found: Step | null = null;
  await walkBack(history, row, (step) => {
    if (isIt(step)) found = step;
    return found !== null;
  });
  return found;
};

/** Returns the names of the account's API keys and devices by id, including revoked and expired ones. */
export const readNames = async (store: Store, accountId: number): Promise<Names> => {
  const keys = await listKeys(store, accountId);
  const sessions = await listSessions(store, accountId);
  return new Map([...keys, ...sessions].map(({ id, name }) => [id, name]));
};

/** Returns the names of the folders and buckets that tasks were moved from or to, including deleted ones. */
export const readContainerNames = async (
  store: Store,
  accountId: number,
  moves: readonly Move[],
): Promise<ContainerNames> => {
  const containers = new Map(
    containersIn(moves).map((place) => [containerKey(place.field, place.id), place]),
  );
  const names = new Map<string, string>();
  for (const [key, { field, id }] of containers) {
    const table = field === "project_id" ? "sync_projects" : "sync_buckets";
    const row = await findRecord(store.reader, accountId, table, id);
    if (row) names.set(key, recordName(table, textField(payloadOf(row), "name") ?? ""));
  }
  return names;
};
