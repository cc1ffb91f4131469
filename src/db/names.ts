import type { Names } from "../happening.ts";
import { textField } from "../payload.ts";
import { type Move, placeKey, type PlaceNames, placesIn } from "../place.ts";
import { listKeys } from "./keys.ts";
import type { Store } from "./open.ts";
import { findRecord, payloadOf } from "./records.ts";
import { listSessions } from "./sessions.ts";

/** What the account's keys and devices are called, by their ids: those that work no more too. */
export const readNames = async (store: Store, accountId: number): Promise<Names> => {
  const keys = await listKeys(store, accountId);
  const sessions = await listSessions(store, accountId);
  return new Map([...keys, ...sessions].map(({ id, name }) => [id, name]));
};

/** What the folders and buckets are called that tasks were moved from or to, deleted ones too. */
export const readPlaceNames = async (
  store: Store,
  accountId: number,
  moves: readonly Move[],
): Promise<PlaceNames> => {
  const places = new Map(placesIn(moves).map((place) => [placeKey(place.field, place.id), place]));
  return new Map(
    [...places].flatMap(([key, { field, id }]) => {
      const table = field === "project_id" ? "sync_projects" : "sync_buckets";
      const row = findRecord(store.reader, accountId, table, id);
      const name = row && textField(payloadOf(row), "name");
      return name ? [[key, name] as const] : [];
    }),
  );
};
