import type { Names } from "../../domain/history/event.ts";
import { textField } from "../../domain/base/payload.ts";
import {
  type Move,
  containerKey,
  type ContainerNames,
  containersIn,
} from "../../domain/history/container-names.ts";
import { listKeys } from "../people/api-keys.ts";
import type { Store } from "../store.ts";
import { payloadOf } from "../../domain/sync/row.ts";
import { findRecord } from "../sqlite/records/find.ts";
import { listSessions } from "../people/sessions.ts";

/** What the account's keys and devices are called, by their ids: those that work no more too. */
export const readNames = async (store: Store, accountId: number): Promise<Names> => {
  const keys = await listKeys(store, accountId);
  const sessions = await listSessions(store, accountId);
  return new Map([...keys, ...sessions].map(({ id, name }) => [id, name]));
};

/** What the folders and buckets are called that tasks were moved from or to, deleted ones too. */
export const readContainerNames = async (
  store: Store,
  accountId: number,
  moves: readonly Move[],
): Promise<ContainerNames> => {
  const places = new Map(
    containersIn(moves).map((place) => [containerKey(place.field, place.id), place]),
  );
  return new Map(
    [...places].flatMap(([key, { field, id }]) => {
      const table = field === "project_id" ? "sync_projects" : "sync_buckets";
      const row = findRecord(store.reader, accountId, table, id);
      const name = row && textField(payloadOf(row), "name");
      return name ? [[key, name] as const] : [];
    }),
  );
};
