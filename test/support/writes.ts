import { EXPECTED, fillAccount, filled } from "./access.ts";
import { newcomer, V1 } from "./replies.ts";
import type { Answer, CallOptions, TestServer } from "./server.ts";

/** Who may write. */
export const WRITERS = ["a key", "a session"] as const;
type Writer = (typeof WRITERS)[number];

/** Every route that changes records, with each writer, taken from the table of all routes. */
export const WRITES = Object.entries(EXPECTED).flatMap(([route, { kind }]) =>
  WRITERS.filter((writer) => kind === "write" || (kind === "keys" && writer === "a key")).map(
    (writer) => [route, writer] as const,
  ),
);

/** A person with a task of their own, ready to call each route that writes. */
export const someoneWriting = async (server: TestServer, called = "") => {
  const ann = await newcomer(server);
  const tokens = { "a key": await ann.key(), "a session": ann.session };
  await fillAccount(server, ann);
  /** Calls a route with a valid body, unless another one is given. */
  const write = async (
    route: string,
    writer: Writer,
    options: CallOptions & { query?: string } = {},
  ) => {
    const [method = "", path = ""] = route.split(" ");
    const address = `!${filled(path)}${options.query ?? ""}`;
    return server.call(method, address, {
      token: tokens[writer],
      body: EXPECTED[route]?.body,
      ...options,
    });
  };
  /** Everything that the person's devices would pull. */
  const pulled = async (): Promise<unknown> =>
    (await server.call("GET", "/sync", { token: ann.session })).json.changes;
  // What is done with a claim needs one.
  if (called.includes("/claims/{id}/")) await write(`POST ${V1}/claims`, "a key");
  return { ann, tokens, write, pulled };
};

/**
 * The part of a reply that is the same each time: without its time and what is left of the limits.
 */
export const shown = ({ status, text, headers }: Answer) => ({
  status,
  text,
  etag: headers.get("etag"),
});

export const isReplayed = ({ headers }: Answer): boolean =>
  headers.get("idempotency-replayed") === "true";

export const underKey = (key: string): Readonly<Record<string, string>> => ({
  "idempotency-key": key,
});
