import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommand } from "../../../src/cli/run.ts";
import { addAccount } from "../../../src/db/people/accounts.ts";
import { createKey } from "../../../src/db/people/api-keys.ts";
import { createSession } from "../../../src/db/people/sessions.ts";
import { noteFile } from "../../../src/db/sqlite/files/lease-file.ts";
import { openStore } from "../../../src/db/open.ts";
import type { Store } from "../../../src/db/store.ts";
import type { Clock, Instant } from "../../../src/domain/base/instant.ts";
import { cryptoRandom } from "../../../src/domain/base/secret.ts";
import { startLog } from "../../../src/server/log.ts";
import { type App, type AppOptions, startApp } from "../../../src/start.ts";
import { FAKETIME } from "../../support/faults/needs.ts";
import { type Running, serve } from "../../support/program.ts";
import { SETTINGS } from "../../support/server.ts";

/** The person's devices and keys, all in an account of their own. */
export type Person = {
  readonly email: string;
  /** A token for each name. */
  readonly sessions: ReadonlyMap<string, string>;
  readonly keys: ReadonlyMap<string, { readonly secret: string; readonly id: string }>;
};

/** A real server on a real socket, with a clock that can be set. */
export type Server = {
  readonly url: () => string;
  /** Its wall clock. */
  readonly now: () => Instant;
  readonly set: (now: Instant) => void;
  readonly person: (sessions: readonly string[], keys: readonly string[]) => Promise<Person>;
  readonly kill: () => Promise<void>;
  readonly restart: () => Promise<void>;
  /** Runs a command of the program on its data, and returns what that prints. */
  readonly command: (...words: readonly string[]) => Promise<string>;
  /** Stops it, puts the backup in the place of its data and starts it. */
  readonly restore: (file: string) => Promise<void>;
  readonly directory: string;
  readonly end: () => Promise<void>;
};

/** What a back end must do by itself; all else is the same for each. */
export type Engine = {
  readonly url: () => string;
  readonly now: () => Instant;
  readonly set: (now: Instant) => void;
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
  readonly kill: () => Promise<void>;
  readonly directory: () => string;
  /** The data, to make people in. */
  readonly store: () => Promise<Store>;
  /** Resolves when the server writes nothing. A command in its own process would wait for a transaction that waits for that thread. */
  readonly rests: () => Promise<void>;
  /** Settings for commands, and what makes a backup and puts it back where the program does not. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly backup?: (file: string) => Promise<void>;
  readonly restore?: (file: string) => Promise<void>;
};

/** Memory instead of a disk: what is tried here is rules, not storage. */
export const newRoot = (): string =>
  mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "docket-witness-"));

/** Starts the server in this process, without a log and with limits that nobody reaches. */
export const startSilent = (
  directory: string,
  clock: Clock,
  opening: AppOptions["opening"] = {},
): Promise<App> =>
  startApp({
    directory,
    opening,
    host: "127.0.0.1",
    port: 0,
    tls: null,
    clock,
    log: startLog(
      "off",
      () => {},
      () => new Date(clock.wall()),
    ),
    settings: { ...SETTINGS, limits: { perMinute: 1_000_000, perHour: 1_000_000 } },
  });

/** The server in this process. A kill leaves its files as they are at that moment, and nothing else. */
export const startInProcess = async (start: Instant): Promise<Server> => {
  const root = newRoot();
  let [lives, wall, steady] = [0, start, 0];
  const directory = (): string => join(root, `data-${lives}`);
  mkdirSync(directory());
  const clock = { wall: () => wall, steady: () => steady };
  const begin = () => startSilent(directory(), clock);
  let app = await begin();
  return withCommands(root, {
    url: () => `http://127.0.0.1:${app.port}`,
    now: () => wall,
    set: (now) => {
      steady += Math.max(0, now - wall);
      wall = now;
    },
    start: async () => void (app = await begin()),
    stop: () => app.stop(1_000),
    kill: async () => {
      // What the server does after its replies, it has done long before: time stands still in here.
      await Bun.sleep(SETTLED);
      const from = directory();
      lives += 1;
      mkdirSync(directory());
      for (const file of ["docket.db", "docket.db-wal"])
        if (existsSync(join(from, file))) copyFileSync(join(from, file), join(directory(), file));
      noteFile(directory());
      await app.stop(0);
      rmSync(from, { recursive: true });
    },
    directory,
    store: async () => app.store,
    rests: () => app.store.writer.drain(),
  });
};

/** ms after which nothing is left to do. */
const SETTLED = 10;

/** The compiled program in a process of its own, its clock set by the library `faketime`. */
export const startBinary = async (program: readonly string[], start: Instant): Promise<Server> => {
  const root = newRoot();
  const directory = join(root, "data");
  const file = join(root, "clock");
  let off = 0;
  const set = (now: Instant): void => {
    off = now - Date.now();
    writeFileSync(file, `${off < 0 ? "" : "+"}${off / 1_000}\n`);
  };
  set(start);
  const env = {
    LD_PRELOAD: FAKETIME ?? "",
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: "1",
    FAKETIME_DONT_FAKE_MONOTONIC: "1",
  };
  const many = ["--rate-per-minute", "100000", "--rate-per-hour", "100000"];
  const begin = () => serve(program, ["--data", directory, "--log", "off", ...many], { env });
  let running: Running = await begin();
  let beside: Store | null = null;
  const closeBeside = async (): Promise<void> => {
    await beside?.close();
    beside = null;
  };
  return withCommands(root, {
    url: () => running.url,
    now: () => Date.now() + off,
    set,
    start: async () => void (running = await begin()),
    stop: async () => {
      await closeBeside();
      await running.stop("SIGTERM");
    },
    kill: async () => {
      await closeBeside();
      await running.stop("SIGKILL");
    },
    directory: () => directory,
    rests: () => Promise.resolve(),
    store: async () =>
      (beside ??= await openStore({ directory, role: "visitor", now: Date.now() + off })),
  });
};

/** Adds what is the same for each back end. */
export const withCommands = (root: string, engine: Engine): Server => {
  const { url, now, set, start, stop, kill, directory, store, rests, environment = {} } = engine;
  let [people, backups] = [0, 0];
  const command = async (...words: readonly string[]): Promise<string> => {
    if (words[0] === "backup") {
      const file = join(root, `backup-${(backups += 1)}.db`);
      if (engine.backup) {
        await engine.backup(file);
        return file;
      }
      words = ["backup", file];
    }
    const lines: string[] = [];
    const said: string[] = [];
    await rests();
    const code = await runCommand([...words, "--data", directory()], {
      terminal: {
        print: (line) => lines.push(line),
        say: (line) => said.push(line),
        write: async (line) => void lines.push(line),
        input: async function* () {},
        readSecret: async () => "",
        canAsk: () => false,
        ask: async () => "",
        isTerminal: false,
        now,
      },
      environment,
      readFile: () => "",
    });
    if (code !== 0) throw new Error(`docket ${words.join(" ")}: ${said.join(" ")}`);
    return lines.join("\n");
  };
  return {
    url,
    now,
    set,
    person: async (sessions, keys) =>
      newPerson(await store(), `ann.${(people += 1)}@example.org`, sessions, keys, now()),
    kill: async () => {
      await kill();
      await start();
    },
    restart: async () => {
      await stop();
      await start();
    },
    command,
    restore: async (file) => {
      await stop();
      if (engine.restore) {
        await engine.restore(file);
        await command("restored");
      } else await command("restore", file, "--yes");
      await start();
    },
    get directory() {
      return directory();
    },
    end: async () => {
      await stop();
      rmSync(root, { recursive: true, force: true });
    },
  };
};

const newPerson = async (
  store: Store,
  email: string,
  sessions: readonly string[],
  keys: readonly string[],
  now: Instant,
): Promise<Person> => {
  const { id } = await addAccount(store, email, { plan: "pro", passwordHash: null }, now);
  const tokens = await Promise.all(
    sessions.map(async (name): Promise<[string, string]> => {
      return [name, (await createSession(store, id, name, cryptoRandom, now)).secret];
    }),
  );
  const secrets = await Promise.all(
    keys.map(async (name): Promise<[string, { secret: string; id: string }]> => {
      const wish = { name, scopes: ["read", "write"], restriction: null, expiresAt: null } as const;
      const { secret, key } = await createKey(store, id, wish, cryptoRandom, now);
      return [name, { secret, id: key.id }];
    }),
  );
  return { email, sessions: new Map(tokens), keys: new Map(secrets) };
};
