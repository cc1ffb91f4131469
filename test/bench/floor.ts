import { join } from "node:path";
import { connect } from "../../src/db/sqlite/connection.ts";
import {
  holderOf,
  list,
  me,
  prepareReads,
  pull,
  recordedMe,
  type Reply,
  task,
} from "./_floor_read.ts";
import { prepareWrites } from "./_floor_rows.ts";
import { createTask, push } from "./_floor_write.ts";

/**
 * The floor: the server that Docket is compared with. It is a bare `Bun.serve` with prepared
 * statements over a copy of the same data, with the same SQLite settings. It does the same work and
 * nothing else: it looks the credential up by its digest, but has no framework, no checks, no
 * limiter, and no handling of anything that the benchmark does not send.
 */
const serve = (directory: string) => {
  const db = connect(join(directory, "docket.db"));
  const [reads, writes] = [prepareReads(db), prepareWrites(db)];
  const session = (request: Request) => holderOf(reads.session, request);
  const key = (request: Request) => holderOf(reads.key, request);
  return Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    routes: {
      "/api/public/v1/tasks": {
        GET: (request) => answer(list(reads, session(request))),
        POST: async (request) => createTask(db, writes, session(request), await request.json()),
      },
      "/api/public/v1/tasks/:id": (request) =>
        answer(task(reads, session(request), request.params.id)),
      "/api/public/v1/me": (request) => answer(me(reads, key(request))),
      "/recorded/me": (request) => answer(recordedMe(reads, key(request))),
      "/api/public/v1/sync": {
        GET: (request) => answer(pull(reads, session(request), request.url.split("since=")[1])),
        POST: async (request) => push(db, writes, session(request), await request.json(), true),
      },
      // Only rows of `record`: neither the index of words, nor that of addresses, nor the history.
      "/records-only/sync": async (request) =>
        push(db, writes, session(request), await request.json(), false),
      "/healthz": () => answer('{"status":"ok"}'),
    },
  });
};

const JSON_TYPE = { headers: { "content-type": "application/json;charset=utf-8" } };

const answer = (reply: Reply): Response => new Response(reply, JSON_TYPE);

const { port } = serve(process.argv[process.argv.indexOf("--data") + 1] ?? "");
process.stdout.write(`Floor is listening on http://127.0.0.1:${port}\n`);
