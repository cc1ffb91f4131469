import pg from "pg";

// The one file that knows the driver.

/** What a query returns: its rows, as lists of values or by the names of their columns. */
export type Queried = { readonly rows: readonly unknown[] };

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

/** Connections to one database, in ms: how long a query may take, and how long a connection. */
const [DEADLINE, CONNECTING] = [30_000, 5_000];
const MOST = 10;

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

export const openPool = (url: string): Pool => {
  const pool = new pg.Pool({
    connectionString: url,
    max: MOST,
    types,
    pipeline: true,
    query_timeout: DEADLINE,
    connectionTimeoutMillis: CONNECTING,
    application_name: "docket",
  } as pg.PoolConfig);
  // A connection that was lost while nobody used it. The next query opens another one.
  pool.on("error", () => {});
  const queryOn =
    (target: { query(config: pg.QueryArrayConfig | pg.QueryConfig): Promise<{ rows: unknown[] }> }) =>
    ({ text, values, asLists }: Sent): Promise<Queried> =>
      target.query({ text, values: [...values], ...(asLists ? { rowMode: "array" } : {}) });
  return {
    query: queryOn(pool),
    connect: async () => {
      const client = await pool.connect();
      return { query: queryOn(client), release: (broken = false) => client.release(broken) };
    },
    end: () => pool.end(),
  };
};

/** Returns PostgreSQL's code of an error, such as `23505`; empty if it is not PostgreSQL's. */
export const postgresCode = (error: unknown): string => {
  if (!(error instanceof Error)) return "";
  const own = "code" in error && typeof error.code === "string" ? error.code : "";
  return own === "" ? postgresCode(error.cause) : own;
};
