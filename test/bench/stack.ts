import { join } from "node:path";
import { bearer } from "@elysiajs/bearer";
import { eq, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/bun-sqlite";
import { blob, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { Elysia } from "elysia";
import { connect } from "../../src/db/sqlite/connection.ts";
import { list, me, prepareReads, pull, type Reply, task } from "./_floor_read.ts";

/**
 * The floor on Docket's own stack: its reads inside Elysia and `@elysiajs/bearer`, with a
 * credential look-up by Drizzle and the headers of every Docket reply. The distance from Docket to
 * this is Docket's own cost; the distance from this to the floor is the stack's.
 */
const credentials = (name: string) =>
  sqliteTable(name, {
    id: text().notNull(),
    accountId: integer("account_id").notNull(),
    digest: blob({ mode: "buffer" }).notNull(),
  });

const serve = (directory: string) => {
  const client = connect(join(directory, "docket.db"));
  const orm = drizzle({ client });
  const holderIn = (name: string) => {
    const table = credentials(name);
    const find = orm
      .select({ id: table.id, accountId: table.accountId })
      .from(table)
      .where(eq(table.digest, sql.placeholder("digest")))
      .prepare();
    return (token = "") => {
      const holder = find.get({ digest: new Bun.CryptoHasher("sha256").update(token).digest() });
      if (holder === undefined) throw new Error("The bench asked for what is not there.");
      return holder;
    };
  };
  const [reads, session, key] = [prepareReads(client), holderIn("session"), holderIn("api_key")];
  return new Elysia({ normalize: false })
    .use(bearer())
    .get("/api/public/v1/tasks", ({ bearer: token }) => answer(list(reads, session(token))))
    .get("/api/public/v1/tasks/:id", ({ bearer: token, params: { id } }) =>
      answer(task(reads, session(token), id)),
    )
    .get("/api/public/v1/me", ({ bearer: token }) => answer(me(reads, key(token))))
    .get("/api/public/v1/sync", ({ bearer: token, request }) =>
      answer(pull(reads, session(token), request.url.split("since=")[1])),
    )
    .get("/healthz", () => answer('{"status":"ok"}'))
    .listen({ hostname: "127.0.0.1", port: 0 });
};

const FIELDS = new Headers({
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "access-control-allow-origin": "*",
  "access-control-expose-headers":
    "Allow, ETag, Idempotency-Replayed, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-Request-Id",
  "content-type": "application/json;charset=utf-8",
});

const answer = (reply: Reply): Response => {
  const response = new Response(reply, { headers: FIELDS });
  response.headers.set("x-request-id", crypto.randomUUID());
  return response;
};

const { server } = serve(process.argv[process.argv.indexOf("--data") + 1] ?? "");
process.stdout.write(`Stack is listening on http://127.0.0.1:${server?.port}\n`);
