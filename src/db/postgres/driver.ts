import pg from "pg";

// The one file that knows the driver. The executable holds it as one packed file, and loads it only where a database is
// given: see connect.ts.

/** What a query returns: its rows, as lists of values or by the names of their columns. */
type Queried = { readonly rows: readonly unknown[] };

/** A statement in PostgreSQL's words, with `$1` for the first value. */
export type Sent = {
  readonly text: string;
  readonly values: readonly unknown[];
  /** Whether each row is a list of values. */
  readonly asLists: boolean;
};

export type Connection = {
  /** Statements that are sent together are answered in their order. */
  readonly query: (sent: Sent) => Promise<Queried>;
  /** Gives the connection back; a broken one is closed. */
  readonly release: (broken?: boolean) => void;
};

export type Pool = {
  readonly query: Connection["query"];
  readonly connect: () => Promise<Connection>;
  readonly end: () => Promise<void>;
};

/** In ms: how long a query may take, and how long a connection may take to open. */
const [DEADLINE, CONNECTING] = [10_000, 5_000];
/** Connections of one process: those of the pool, and the one that holds the lock. */
const MOST = 10;
/**
 * PostgreSQL notices within some 10 s that the machine at the other end is gone, and frees what that held. A pooler that gives
 * each transaction another connection refuses these settings, so nobody uses one unawares.
 */
const OPTIONS = [
  "tcp_keepalives_idle=4",
  "tcp_keepalives_interval=2",
  "tcp_keepalives_count=3",
  "idle_in_transaction_session_timeout=10000",
];
/** The same for a process that hangs, of a connection that is used every few seconds. */
const WATCHED = "idle_session_timeout=8000";

/** The numbers of PostgreSQL's types, as they are returned: whole numbers of any size as numbers, and truth as 1 or 0. */
const READ: Readonly<Record<number, (text: string) => unknown>> = {
  16: (text) => (text === "t" ? 1 : 0),
  20: Number,
  1700: Number,
};

const types = {
  getTypeParser: (type: number, format?: "binary" | "text") =>
    (format !== "binary" && READ[type]) || pg.types.getTypeParser(type, format as "text"),
} as pg.CustomTypesConfig;

/** Of the modes that ask for TLS, the driver takes all for the strictest one, but warns of every other name. */
const strict = (url: string): string => {
  const address = new URL(url);
  const { searchParams } = address;
  if (!/^(prefer|require|verify-ca)$/.test(searchParams.get("sslmode") ?? "")) return url;
  searchParams.set("sslmode", "verify-full");
  return address.href;
};

const settingsOf = (url: string, options: readonly string[] = OPTIONS) =>
  ({
    connectionString: strict(url),
    types,
    pipeline: true,
    query_timeout: DEADLINE,
    connectionTimeoutMillis: CONNECTING,
    keepAlive: true,
    application_name: "docket",
    options: options.map((setting) => `-c ${setting}`).join(" "),
  }) as pg.ClientConfig;

type Target = {
  query(config: pg.QueryArrayConfig | pg.QueryConfig): Promise<{ rows: unknown[] }>;
};

const queryOn =
  (target: Target): Connection["query"] =>
  ({ text, values, asLists }) =>
    target.query({ text, values: [...values], ...(asLists ? { rowMode: "array" } : {}) });

/**
 * Opens a connection that is not shared, and must be used every few seconds. Calls `onEnd` once if it breaks after it
 * was opened and before it is closed.
 */
export const openLine = async (
  url: string,
  onEnd: () => void,
): Promise<{ readonly query: Connection["query"]; readonly close: () => Promise<void> }> => {
  const client = new pg.Client(settingsOf(url, [...OPTIONS, WATCHED]));
  let isOpen = false;
  const end = (): void => {
    if (isOpen) onEnd();
    isOpen = false;
  };
  client.on("error", end);
  client.on("end", end);
  await client.connect();
  isOpen = true;
  return {
    query: queryOn(client),
    close: async () => {
      isOpen = false;
      await client.end().catch(() => {});
    },
  };
};

/**
 * Opens a pool of connections to the database at this address.
 */
export const openPool = (url: string): Pool => {
  const pool = new pg.Pool({ ...settingsOf(url), max: MOST });
  // A connection that was lost while nobody used it: the next query opens another one. One that is lost in use says so to its
  // query, and here too: an error that nobody listens for would end the program.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  return {
    query: queryOn(pool),
    connect: async () => {
      const client = await pool.connect();
      return { query: queryOn(client), release: (broken = false) => client.release(broken) };
    },
    end: () => pool.end(),
  };
};
