import { formatInstant, type Instant, SECOND } from "../../../src/domain/base/instant.ts";
import { createSession } from "../../../src/db/people/sessions.ts";
import { cryptoRandom } from "../../../src/domain/base/secret.ts";
import { change, newcomer } from "../replies.ts";
import type { Answer, TestServer } from "../server.ts";

type Payload = Readonly<Record<string, unknown>>;

/** What one of ann's devices can do. The clock moves on a second before each of these. */
export type AnnsDevice = {
  /** Pulls and returns `server_time`. `since` is what the device has stored. */
  readonly pull: (since?: string, more?: string) => Promise<Answer["json"]>;
  /**
   * Pushes ann's task. By default the edit was made now, and the push does not say what the device
   * has seen.
   */
  readonly push: (payload: Payload, options?: PushOptions) => Promise<Answer>;
};

type PushOptions = {
  readonly updated?: Instant;
  readonly deleted?: boolean;
  readonly since?: string;
  /** The `updated_at` of the version on which the edit was made. */
  readonly base?: string;
  /** The `updated_at` of the newest version that the device knows; null if it knows of none. */
  readonly expected?: string | null;
  /** When single fields were changed, as `changed_at` says it. */
  readonly changed?: object;
};

/** Ann's task t, which her phone pushed, with her phone, her laptop and her bot. */
export const meeting = async (server: TestServer, payload: Payload = { title: "milk" }) => {
  const { call, clock } = server;
  const ann = await newcomer(server);
  const token = await ann.key();
  const now = (): Instant => {
    clock.advance(SECOND);
    return clock.wall();
  };
  const device = (session: string): AnnsDevice => ({
    pull: async (since, more = "") => {
      now();
      const query = new URLSearchParams(since === undefined ? {} : { since });
      return (await call("GET", `/sync?${query}${more}`, { token: session })).json;
    },
    push: (content, { updated, deleted = false, since, base, expected, changed } = {}) => {
      const time = formatInstant(updated ?? now());
      const gone = deleted ? { deleted_at: time } : {};
      const on = base === undefined ? {} : { base_updated_at: base };
      const known = expected === undefined ? {} : { expected_updated_at: expected };
      const times = changed === undefined ? {} : { changed_at: changed };
      const more = { updated_at: time, ...gone, ...on, ...known, ...times };
      const body = [change("sync_tasks", "t", content, more)];
      const query = since === undefined ? "" : `?since=${encodeURIComponent(since)}`;
      return call("POST", `/sync${query}`, { token: session, body });
    },
  });
  const signIn = async (name: string): Promise<string> =>
    (await createSession(server.store, ann.account.id, name, cryptoRandom, now())).secret;
  const [phone, laptop] = [device(ann.session), device(await signIn("laptop"))];
  const tablet = await signIn("tablet");
  await phone.push(payload);
  const bot = (method: string, path: string, body: unknown): Promise<Answer> => {
    now();
    return call(method, `/tasks${path}`, { token, body });
  };
  return {
    phone,
    laptop,
    /** The phone pushes two edits of the task at once, both made on the same version. */
    pushesTwo: (
      first: Payload,
      second: Payload,
      base: string,
      { isFirstDeleted = false } = {},
    ): Promise<Answer> => {
      const edits = [first, second].map((content, at) => {
        const updated_at = formatInstant(now());
        const gone = isFirstDeleted && at === 0 ? { deleted_at: updated_at } : {};
        return change("sync_tasks", "t", content, { updated_at, base_updated_at: base, ...gone });
      });
      return call("POST", "/sync", { token: ann.session, body: edits });
    },
    /** Moves the clock on by a second and returns the time. */
    now,
    files: async (name: string): Promise<unknown> =>
      (await bot("POST", "/t/tabs", [{ url: `https://${name}.example/` }])).json.tabs[0],
    notes: (text: string) => bot("POST", "/t/notes", { text }),
    sets: (fields: Payload) => bot("PATCH", "/t", fields),
    /** The bot creates another task. */
    makes: (title: string) => bot("POST", "", { title }),
    /** The task as a pull returns it. */
    row: async () => {
      const { json } = await call("GET", "/sync", { token: tablet });
      return json.changes.sync_tasks[0] as Row;
    },
    urls: async () => {
      const { json } = await call("GET", "/tasks/t", { token });
      return (json.tabs as { url: string }[]).map(({ url }) => url);
    },
  };
};

type Row = { readonly updated_at: string; readonly payload: Payload };
