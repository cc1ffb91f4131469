import { afterAll, beforeEach, expect } from "bun:test";
import {
  type Answer,
  NOON,
  type Person,
  type ServerOptions,
  startServer,
  type TestServer,
} from "./server.ts";

/** The moment at which a test's clock starts, as replies show it. */
export const AT_NOON = "2026-03-04T12:00:00.000Z";

export const V1 = "/api/public/v1";

/** One server for a whole file, whose tests bring people of their own. Each begins at noon. */
export const sharedServer = async (options: ServerOptions = {}): Promise<TestServer> => {
  const server = await startServer(options);
  beforeEach(() => server.clock.set(NOON));
  afterAll(() => server.stop());
  return server;
};

let people = 0;

/** Someone new of this name, so that the tests of one server do not meet one another's work. */
export const newcomer = (server: TestServer, name = "ann"): Promise<Person> =>
  server.person(`${name}.${++people}@example.org`);

/** Resolves once `holds` does; a test that waits for what never comes times out. */
export const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await Bun.sleep(1);
};

/** An id made by the server: a UUID of version 7. */
const SERVER_ID: unknown = expect.stringMatching(
  /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
);

const AUTHOR = { created_by: "person", created_by_key: null };

/** Who a key called `bot` is, as records show it. */
export const BY_BOT = { created_by: "agent", created_by_key: "bot" };

type Fields = Readonly<Record<string, unknown>>;

/** A task's list row with every field of the contract: a person's new one, but for `fields`. */
export const taskRow = (fields: Fields = {}) => ({
  id: SERVER_ID,
  title: "Plan the trip",
  status: "todo",
  colour: null,
  folder: null,
  project_id: null,
  bucket_id: null,
  ...AUTHOR,
  created_at: AT_NOON,
  updated_at: AT_NOON,
  deleted_at: null,
  due: null,
  tags: [],
  position: null,
  tab_count: 0,
  note_count: 0,
  ...fields,
});

export const wholeTask = (fields: Fields = {}) => taskRow({ tabs: [], notes: [], ...fields });

export const tab = (fields: Fields = {}) => ({
  id: SERVER_ID,
  url: "https://example.org/",
  title: "https://example.org/",
  ...AUTHOR,
  created_at: AT_NOON,
  ...fields,
});

export const note = (fields: Fields = {}) => ({
  id: SERVER_ID,
  text: "Ask bob.",
  ...AUTHOR,
  created_at: AT_NOON,
  ...fields,
});

export const folder = (fields: Fields = {}) => ({
  id: SERVER_ID,
  name: "Travel",
  colour: null,
  ...AUTHOR,
  created_at: AT_NOON,
  updated_at: AT_NOON,
  deleted_at: null,
  task_count: 0,
  ...fields,
});

/** A refusal is its status and exactly one sentence. */
export const expectRefusal = (answer: Answer, status: number, error: string): void => {
  expect({ status: answer.status, body: answer.json as unknown }).toEqual({
    status,
    body: { error },
  });
};

export const titlesOf = (answer: Answer): string[] =>
  (answer.json as { tasks: { title: string }[] }).tasks.map(({ title }) => title);

/** A change record of a push. */
export const change = (
  table: string,
  id: string,
  payload: unknown,
  fields: Fields = {},
): Readonly<Record<string, unknown>> => ({
  table,
  id,
  updated_at: AT_NOON,
  payload,
  ...fields,
});

/** The texts of refusals that many rules share. */
export const SAYS = {
  credential: "A credential is needed: send it as Authorization: Bearer <token>.",
  badCredential:
    "The credential is not valid: it is mistyped, expired or revoked. Make a new key, or sign in again.",
  noSync: "API keys cannot sync: /sync is for the extension's own session.",
  free: "API keys need Pro, and this account's plan is free.",
  lacks: (scope: string) => `This key lacks the scope: ${scope}.`,
  host: "This server is not known by that name: call it by localhost or its IP address, or add the name to DOCKET_ALLOWED_HOSTS.",
  noTask: "No such task: it does not exist, or it was deleted.",
  never: (method: string) =>
    `${method} is not allowed anywhere: nothing can be deleted or replaced here.`,
  wait: (seconds: number) =>
    `This key may make 60 requests a minute and 600 an hour: try again in ${seconds} s.`,
} as const;
