import { describe } from "bun:test";
import { chownSync, mkdtempSync, readdirSync, existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const VERSIONS = "/usr/lib/postgresql";
const [version] = existsSync(VERSIONS) ? readdirSync(VERSIONS).toSorted().toReversed() : [];

/** Tests with a PostgreSQL of their own, skipped where none is installed. */
export const onPostgres = describe.skipIf(version === undefined);

/** A PostgreSQL server, which listens on this machine alone. */
export type Postgres = {
  /** Makes an empty database, and returns its address. */
  readonly database: (name: string, options?: string) => Promise<string>;
  /** Runs SQL in a database. Returns what `psql` prints. */
  readonly ask: (database: string, sql: string) => Promise<string>;
  /** Writes a database to a file, and puts a file into an empty database. */
  readonly dump: (database: string, file: string) => Promise<void>;
  readonly load: (database: string, file: string) => Promise<void>;
  /** Starts a standby of this server. Returns the address of a database on it, and how to end it. */
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

const ask = (url: string, sql: string) => command(["psql", "-qAtX", url, "-c", sql]);

/** Starts one on a free port. `settings` are of `postgresql.conf`. */
export const startPostgres = async (settings: readonly string[] = []): Promise<Postgres> => {
  const folder = mkdtempSync(join(tmpdir(), "docket-postgres-"));
  if (asOther.length > 0) chownSync(folder, ...(await ownerIds()));
  const data = join(folder, "data");
  const program = (name: string, ...words: string[]) =>
    command([...asOther, join(VERSIONS, version ?? "", "bin", name), ...words]);
  await program("initdb", "-D", data, "-U", "docket", "-E", "UTF8", "--locale=C", "-A", "trust");
  const port = freePort();
  const options = [
    `port=${port}`,
    "listen_addresses=127.0.0.1",
    `unix_socket_directories=${folder}`,
    ...settings,
  ];
  const start = async (): Promise<void> => {
    const words = options.map((option) => `-c ${option}`).join(" ");
    await program("pg_ctl", "-D", data, "-o", words, "-l", join(folder, "log"), "-w", "start");
  };
  await start();
  const standby: Postgres["standby"] = async (name) => {
    const [copy, at] = [join(folder, "standby"), freePort()];
    await program(
      "pg_basebackup",
      "-c",
      "fast",
      "-h",
      folder,
      "-p",
      `${port}`,
      "-U",
      "docket",
      "-D",
      copy,
      "-R",
    );
    const words = `-c port=${at} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder}`;
    await program("pg_ctl", "-D", copy, "-o", words, "-l", join(folder, "log2"), "-w", "start");
    return {
      database: `postgres://docket@127.0.0.1:${at}/${name}`,
      end: async () => {
        await program("pg_ctl", "-D", copy, "-m", "immediate", "-w", "stop");
      },
    };
  };
  const addressOf = (name: string): string => `postgres://docket@127.0.0.1:${port}/${name}`;
  const stop = (mode: string) => program("pg_ctl", "-D", data, "-m", mode, "-w", "stop");
  return {
    database: async (name, encoding = "encoding 'UTF8'") => {
      await ask(addressOf("postgres"), `create database ${name} template template0 ${encoding}`);
      return addressOf(name);
    },
    ask,
    dump: async (database, file) => void (await command(["pg_dump", "-Fc", "-f", file, database])),
    load: async (database, file) => void (await command(["pg_restore", "-d", database, file])),
    standby,
    start,
    kill: async () => {
      await stop("immediate");
    },
    end: async () => {
      await stop("immediate").catch(() => {});
    },
  };
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
