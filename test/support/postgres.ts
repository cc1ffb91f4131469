import { afterAll, beforeAll, describe } from "bun:test";
import { chmodSync, chownSync, mkdtempSync, readdirSync, existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const VERSIONS = "/usr/lib/postgresql";
const [version] = existsSync(VERSIONS) ? readdirSync(VERSIONS).toSorted().toReversed() : [];
/** Where the programs of the newest installed version are. */
export const PROGRAMS = join(VERSIONS, version ?? "", "bin");

/** Tests with a PostgreSQL of their own, skipped where none is installed. */
export const onPostgres = describe.skipIf(version === undefined);

/** A PostgreSQL server, which listens on this machine alone. */
export type Postgres = {
  /** Returns the address of a database that is there. */
  readonly address: (name: string) => string;
  /** Makes an empty database, and returns its address. */
  readonly database: (name: string, options?: string) => Promise<string>;
  /** Runs SQL in a database. Returns what `psql` prints. */
  readonly ask: (database: string, sql: string) => Promise<string>;
  /** Writes a database to a file, and puts a file into an empty database. */
  readonly dump: (database: string, file: string) => Promise<void>;
  readonly load: (database: string, file: string) => Promise<void>;
  /** Starts a standby of this server, which then follows it. Returns the address of a database on it, and how to end it. */
  readonly standby: (name: string) => Promise<{ database: string; end: () => Promise<void> }>;
  readonly start: () => Promise<void>;
  /** Kills all of it at once. */
  readonly kill: () => Promise<void>;
  readonly end: () => Promise<void>;
};

/** PostgreSQL does not run as root. */
const asOther = process.getuid?.() === 0 ? ["runuser", "-u", "postgres", "--"] : [];

const command = async (words: readonly string[]): Promise<string> => {
  const child = Bun.spawn([...words], { stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  if ((await child.exited) !== 0) throw new Error(`${words.join(" ")}: ${err}`);
  return out.trim();
};

/** Runs SQL in a database. Returns what `psql` prints. */
export const ask = (url: string, sql: string) => command(["psql", "-qAtX", url, "-c", sql]);

/** Starts one on a free port. `settings` are of `postgresql.conf`. */
export const startPostgres = async (settings: readonly string[] = []): Promise<Postgres> => {
  const folder = mkdtempSync(join(tmpdir(), "docket-postgres-"));
  if (asOther.length > 0) chownSync(folder, ...(await ownerIds()));
  const program = (name: string, words: string) =>
    command([...asOther, join(PROGRAMS, name), ...words.split(" ")]);
  /** How to start and stop the server whose files are in a folder of this name. */
  const serverIn = (name: string, port: number, more: readonly string[] = []) => {
    const data = join(folder, name);
    const places = [
      `port=${port}`,
      "listen_addresses=127.0.0.1",
      `unix_socket_directories=${folder}`,
    ];
    const options = [...places, ...more].map((option) => `-c ${option}`).join(" ");
    const control = [...asOther, join(PROGRAMS, "pg_ctl"), "-w", "-D", data];
    const log = join(folder, `${name}.log`);
    return {
      data,
      addressOf: (database: string): string => `postgres://docket@127.0.0.1:${port}/${database}`,
      start: async () => void (await command([...control, "-o", options, "-l", log, "start"])),
      kill: async () => void (await command([...control, "-m", "immediate", "stop"])),
    };
  };
  const port = freePort();
  const { data, addressOf, start, kill } = serverIn("data", port, settings);
  await program("initdb", `-D ${data} -U docket -E UTF8 --locale=C -A trust`);
  await start();
  const standby: Postgres["standby"] = async (name) => {
    const copy = serverIn("standby", freePort());
    await program("pg_basebackup", `-c fast -h ${folder} -p ${port} -U docket -D ${copy.data} -R`);
    await copy.start();
    // It answers before it has reached this one.
    const following = "select count(*) from pg_stat_replication where state = 'streaming'";
    while ((await ask(addressOf("postgres"), following)) !== "1") await Bun.sleep(20);
    return { database: copy.addressOf(name), end: copy.kill };
  };
  return {
    address: addressOf,
    database: async (name, encoding = "encoding 'UTF8'") => {
      await ask(addressOf("postgres"), `create database ${name} template template0 ${encoding}`);
      return addressOf(name);
    },
    ask,
    dump: async (database, file) => void (await command(["pg_dump", "-Fc", "-f", file, database])),
    load: async (database, file) => void (await command(["pg_restore", "-d", database, file])),
    standby,
    start,
    kill,
    end: () => kill().catch(() => {}),
  };
};

/** Lets PostgreSQL alone read a file. */
export const giveToPostgres = async (file: string): Promise<void> => {
  chmodSync(file, 0o600);
  if (asOther.length > 0) chownSync(file, ...(await ownerIds()));
};

/** One for the tests of a `describe`: there when the first of them begins, and gone after the last. */
export const usePostgres = (settings: readonly string[] = []): Postgres => {
  const postgres: Partial<Postgres> = {};
  beforeAll(async () => void Object.assign(postgres, await startPostgres(settings)));
  afterAll(() => postgres.end?.());
  return postgres as Postgres;
};

const ownerIds = async (): Promise<[number, number]> => [
  Number(await command(["id", "-u", "postgres"])),
  Number(await command(["id", "-g", "postgres"])),
];

/** Returns a port on which nothing listens. */
export const freePort = (): number => {
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
  const { port = 0 } = server;
  void server.stop(true);
  return port;
};
