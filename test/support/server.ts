import { afterAll } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Account } from "../../src/domain/people/account.ts";
import { startApp } from "../../src/start.ts";
import { addAccount } from "../../src/db/people/accounts.ts";
import { createKey } from "../../src/db/people/api-keys.ts";
import type { Settings } from "../../src/server/service.ts";
import { openStore } from "../../src/db/open.ts";
import type { Store } from "../../src/db/store.ts";
import { createSession } from "../../src/db/people/sessions.ts";
import type { Instant } from "../../src/domain/base/instant.ts";
import type { Restriction, Scope } from "../../src/domain/people/api-key.ts";
import type { Limits } from "../../src/domain/calls/limiter.ts";
import { type Log, startLog } from "../../src/server/log.ts";
import { engineOf } from "./engine.ts";
import { cryptoRandom } from "../../src/domain/base/secret.ts";
import { problemsOf, templateOf } from "./http/conforms.ts";

/** Noon of a day on which nothing special happens. */
export const NOON: Instant = Date.parse("2026-03-04T12:00:00.000Z");

/** A clock that stands still until the test moves it. `set` moves only the wall clock. */
export const testClock = (start: Instant = NOON) => {
  let wall = start;
  let steady = 1_000;
  return {
    wall: () => wall,
    steady: () => steady,
    advance: (ms: number) => {
      wall += ms;
      steady += ms;
    },
    set: (instant: Instant) => {
      wall = instant;
    },
  };
};

type TestClock = ReturnType<typeof testClock>;

export type Person = {
  readonly account: Account;
  /** The token of one of their sessions. */
  readonly session: string;
  readonly key: (
    scopes?: readonly Scope[],
    name?: string,
    restriction?: Restriction | null,
  ) => Promise<string>;
};

export type CallOptions = {
  readonly token?: string | undefined;
  /** Sent as JSON; text and bytes are sent as they are. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // The tests read replies of many shapes.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly json: any;
};

export type TestServer = {
  readonly url: string;
  readonly directory: string;
  readonly clock: TestClock;
  /** The same data, opened like a command beside the server. */
  readonly store: Store;
  readonly logged: readonly string[];
  readonly log: Log;
  readonly person: (email?: string) => Promise<Person>;
  /** Calls `path` below the API's base address, or any path of the server if it begins with `!`. */
  readonly call: (method: string, path: string, options?: CallOptions) => Promise<Answer>;
  readonly stop: () => Promise<void>;
};

export type ServerOptions = {
  readonly directory?: string;
  readonly clock?: TestClock;
  readonly limits?: Limits;
  readonly hosts?: readonly string[];
  /** In bytes, for the records of each account. */
  readonly quota?: number;
  readonly settings?: Partial<Settings>;
};

const API = "/api/public/v1";

/** The settings of a server without any configuration. */
export const SETTINGS: Settings = {
  hosts: new Set(),
  limits: { perMinute: 60, perHour: 600 },
  bodyMemory: 256 * 1024 * 1024,
  https: false,
  publicUrl: null,
  isProxy: () => false,
  defaultPlan: "pro",
  extensionRedirects: [],
  openId: null,
};

/** A new directory, removed when the test file is done. */
export const testDirectory = (): string => {
  const directory = mkdtempSync(join(tmpdir(), "docket-test-"));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
};

/**
 * The real server in this process, on a free port of 127.0.0.1, with real files and a clock that
 * tests set.
 */
export const startServer = async (options: ServerOptions = {}): Promise<TestServer> => {
  const directory = options.directory ?? testDirectory();
  const clock = options.clock ?? testClock();
  const logged: string[] = [];
  const log = startLog(
    "json",
    (line) => logged.push(line),
    () => new Date(clock.wall()),
  );
  const engine = await engineOf(directory);
  const app = await startApp({
    directory,
    opening: { quota: options.quota ?? null, ...engine },
    host: "127.0.0.1",
    port: 0,
    tls: null,
    clock,
    log,
    settings: {
      ...SETTINGS,
      hosts: new Set(options.hosts),
      limits: options.limits ?? SETTINGS.limits,
      ...options.settings,
    },
  });
  const store = await openStore({ directory, role: "visitor", now: clock.wall(), ...engine });
  const url = `http://127.0.0.1:${app.port}`;
  return {
    url,
    directory,
    clock,
    store,
    logged,
    log,
    person: (email = "ann@example.org") => newPerson(store, clock, email),
    call: (method, path, sent) =>
      send(method, path.startsWith("!") ? url + path.slice(1) : url + API + path, sent),
    stop: async () => {
      await store.close();
      await app.stop(1_000);
    },
  };
};

const newPerson = async (store: Store, clock: TestClock, email: string): Promise<Person> => {
  const now = clock.wall();
  const account = await addAccount(store, email, { plan: "pro", passwordHash: null }, now);
  const { secret } = await createSession(store, account.id, "laptop", cryptoRandom, now);
  return {
    account,
    session: secret,
    key: async (scopes = ["read", "write"], name = "bot", restriction = null) => {
      const keyFields = { name, scopes, restriction, expiresAt: null };
      return (await createKey(store, account.id, keyFields, cryptoRandom, clock.wall())).secret;
    },
  };
};

/** One request over a real socket. */
export const send = async (
  method: string,
  url: string,
  { token, body, headers }: CallOptions = {},
): Promise<Answer> => {
  const raw = typeof body === "string" || body instanceof Uint8Array;
  const response = await fetch(url, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: raw ? (body as string) : JSON.stringify(body) }),
  });
  const text = await response.text();
  const answer = { status: response.status, headers: response.headers, text, json: parsed(text) };
  checkConformity(method, new URL(url).pathname, answer);
  return { ...answer, json: withoutRevs(text, answer.json) };
};

/** Revisions are new with each write. What they must be, http/rev.test.ts says, which reads the text. */
const withoutRevs = (text: string, json: unknown): unknown =>
  json !== undefined && text.includes('"rev')
    ? JSON.parse(text, (name, value) => (name === "rev" || name === "revs" ? undefined : value))
    : json;

/** Every reply that a test gets from the API must match the OpenAPI document. */
const checkConformity = (method: string, path: string, { status, headers, json }: Answer): void => {
  const template = templateOf(path);
  // Pages and MCP are not in the document, and what Bun itself refuses has no body.
  if ((template === null && !path.startsWith(API)) || status === 431) return;
  const problems = problemsOf(method, template, { status, headers, body: json as unknown });
  if (problems.length > 0)
    throw new Error(`${method} ${path} is not as documented: ${problems.join("; ")}.`);
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
