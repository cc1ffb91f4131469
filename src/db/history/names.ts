import { recordName } from "../../domain/base/record.ts";
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
import { payloadOf } from "../../domain/records/row.ts";
import { findRecord } from "../sqlite/records/find.ts";
import { listSessions } from "../people/sessions.ts";

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
  return new Map(
    [...containers].flatMap(([key, { field, id }]) => {
      const table = field === "project_id" ? "sync_projects" : "sync_buckets";
      const row = findRecord(store.reader, accountId, table, id);
      return row
        ? [[key, recordName(table, textField(payloadOf(row), "name") ?? "")] as const]
        : [];
    }),
  );
};
