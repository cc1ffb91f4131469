import { PAGES } from "../../../src/web/pages.ts";
import { everyRow } from "../db/store.ts";
import type { TestServer } from "../server.ts";

/** Every page of the table, with an address. An id in the path is one that nothing has. */
export const PLACES = PAGES.map((page) => ({
  ...page,
  address: page.path.replace(":id", "no-such-id").replace("*", "no-such-page"),
}));

/** The name for a page's test, and the page itself. */
const named = (places: typeof PLACES) =>
  places.map((place) => [`${place.method} ${place.path}`, place] as const);

export const GETS = named(PLACES.filter(({ method }) => method === "GET"));
export const POSTS = named(PLACES.filter(({ method }) => method === "POST"));
export const OWN_PLACES = named(PLACES.filter(({ access }) => access === "signed in"));

/** The content type that a page accepts in a POST. */
export const typeOf = ({ body }: (typeof PLACES)[number]): string =>
  ({
    file: "application/octet-stream",
    form: "application/x-www-form-urlencoded",
    json: "application/json",
  })[body];

/** Columns that only record that someone was there. */
const PRESENCE = ["last_used_at", "seen_at", "lease", "floor"];

/** Everything that the server has stored, except when someone was last there. */
export const storedIn = ({ directory }: TestServer): Readonly<Record<string, readonly unknown[]>> =>
  Object.fromEntries(
    Object.entries(everyRow(directory)).map(([name, rows]) => [name, rows.map(lasting)]),
  );

const lasting = (row: object): object =>
  Object.fromEntries(Object.entries(row).filter(([column]) => !PRESENCE.includes(column)));
