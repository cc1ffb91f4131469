import { createSession } from "../../../src/db/people/sessions.ts";
import { formatInstant } from "../../../src/domain/base/instant.ts";
import { cryptoRandom } from "../../../src/domain/base/secret.ts";
import { change } from "../replies.ts";
import type { Answer, TestServer } from "../server.ts";
import { someoneWithKeys } from "./keys.ts";
import type { Seen } from "./visitor.ts";

/** Someone who is signed in, with two devices that sync over the API, and a key called helper. */
export const someoneWithAPast = async (server: TestServer, name = "ann") => {
  const { person, helper, make } = await someoneWithKeys(server, name);
  const device = async (named: string) => {
    const now = server.clock.wall();
    const { account } = person;
    const { secret } = await createSession(server.store, account.id, named, cryptoRandom, now);
    return deviceOf(server, secret);
  };
  const token = helper.secret;
  const helps = (method: string, path: string, body: unknown) =>
    server.call(method, path, { token, body });
  return {
    person,
    laptop: await device("laptop"),
    phone: await device("phone"),
    helper,
    helps,
    make,
  };
};

/** A simple device: it pushes records, stamped now unless a test says otherwise, and pulls everything. */
const deviceOf = (server: TestServer, token: string) => ({
  token,
  push: async (id: string, payload: unknown, fields: object = {}, table = "sync_tasks") => {
    const updated_at = formatInstant(server.clock.wall());
    const body = [{ ...change(table, id, payload), updated_at, ...fields }];
    return pushed(await server.call("POST", "/sync", { token, body }));
  },
  pushAll: async (body: readonly unknown[]) =>
    pushed(await server.call("POST", "/sync", { token, body })),
  /** The task, as a sync returns it to the device now. */
  pull: async (id: string) => {
    const { json } = await server.call("GET", "/sync", { token });
    const rows = json.changes.sync_tasks as readonly PulledRow[];
    return rows.find((row) => row.id === id);
  },
});

type PulledRow = {
  readonly id: string;
  readonly updated_at: string;
  readonly deleted_at: string | null;
  readonly payload: Readonly<Record<string, unknown>>;
};

const pushed = ({ status, json, text }: Answer) => {
  if (status !== 200) throw new Error(`POST /sync: ${status} ${text}`);
  return json as { readonly applied: number; readonly rejected: readonly { reason: string }[] };
};

/** The text of each card on a page. */
export const cardsOf = ({ html }: Seen): readonly string[] =>
  [...html.matchAll(/<article class="card">(.*?)<\/article>/gs)].map(([, card = ""]) =>
    card
      .replaceAll(/<[^>]*>/g, " ")
      .replaceAll("&lt;", "<")
      .replaceAll("&quot;", '"')
      .replaceAll("&amp;", "&")
      .replaceAll(/\s+/g, " ")
      .trim(),
  );

/** Where the first link or form with this text leads. */
export const linkTo = ({ html }: Seen, text: string): string => {
  const found = [...html.matchAll(/<a [^>]*href="([^"]*)"[^>]*>(.*?)<\/a>/gs)].find(
    ([, , inside = ""]) => inside.replaceAll(/<[^>]*>/g, "") === text,
  );
  return (found?.[1] ?? "").replaceAll("&amp;", "&");
};

/** The hidden fields of the form that posts to this path. */
export const hiddenIn = ({ html }: Seen, action: string): Readonly<Record<string, string>> => {
  const form = html.split(`method="post" action="${action}"`)[1]?.split("</form>")[0] ?? "";
  return Object.fromEntries(
    [...form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(
      ([, name = "", value = ""]) => [name, value],
    ),
  );
};
