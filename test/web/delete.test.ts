import { sql } from "drizzle-orm";
import { expect, test } from "bun:test";
import { findAccount, readAccount } from "../../src/db/people/accounts.ts";
import { createKey } from "../../src/db/people/api-keys.ts";
import { createSession } from "../../src/db/people/sessions.ts";
import { OWNER_STAYS } from "../../src/db/people/deletion.ts";
import { MINUTE } from "../../src/domain/base/instant.ts";
import { cryptoRandom } from "../../src/domain/base/secret.ts";
import { watchIndex } from "../support/db/search.ts";
import { sharedServer, until } from "../support/replies.ts";
import { PASSWORD, type Seen, someoneSignedIn, visitor } from "../support/web/visitor.ts";

// Password hashes are slow, even more so while other tests run.

const server = await sharedServer();

const expectPage = (seen: Seen, status: number, text: string): void =>
  expect([seen.status, seen.text]).toEqual([status, expect.stringContaining(text)]);

const annWithTask = async (name = "ann") => {
  const ann = await someoneSignedIn(server, name);
  const { id } = ann.account;
  const now = server.clock.wall();
  const { secret: session } = await createSession(server.store, id, "laptop", cryptoRandom, now);
  const wish = {
    name: "bot",
    scopes: ["read", "write"],
    restriction: null,
    expiresAt: null,
  } as const;
  const { secret: key } = await createKey(server.store, id, wish, cryptoRandom, now);
  const body = { title: `Zebra of ${name}`, tabs: [{ url: "https://a.example/" }] };
  expect((await server.call("POST", "/tasks", { token: key, body })).status).toBe(201);
  const found = await server.call("GET", "/tasks?q=zebra", { token: key });
  expect(found.json.tasks).toHaveLength(1);
  return { ann, id, session, key };
};

test("someone who types their address loses the account, every access to it, and its search index, at once", async () => {
  const { ann, id, session, key } = await annWithTask();
  const bob = await annWithTask("bob");
  const other = visitor(server);
  await other.post("/sign-in", { email: ann.account.email, password: PASSWORD });
  using index = watchIndex(server.store.directory);
  const seen = await ann.post("/account/delete", { confirmation: ann.account.email });
  expectPage(seen, 200, "Your account is deleted");
  expect(seen.headers.get("clear-site-data")).toBe('"storage"');
  for (const browser of [ann, other]) expect((await browser.get("/account")).status).toBe(303);
  for (const token of [session, key])
    expect((await server.call("GET", "/me", { token })).status).toBe(401);
  const form = { email: ann.account.email, password: PASSWORD };
  expect((await visitor(server).post("/sign-in", form)).status).toBe(422);
  await until(async () => (await readAccount(server.store, id)) === null && index.isGone());
  const still = await server.call("GET", "/tasks?q=zebra", { token: bob.key });
  expect([still.status, still.json.tasks.length]).toEqual([200, 1]);
  const noted = server.logged.map((line) => JSON.parse(line));
  expect(noted.find(({ message }) => message === "an account was deleted")).toMatchObject({
    level: "info",
    account: ann.account.email,
    address: "127.0.0.1",
  });
});

test("a device that waits for news is told that it is signed out", async () => {
  const { ann, session } = await annWithTask();
  const first = await server.call("GET", "/sync", { token: session });
  const since = encodeURIComponent(first.json.server_time);
  const waiting = server.call("GET", `/sync?since=${since}&wait=25`, { token: session });
  await Bun.sleep(50);
  await ann.post("/account/delete", { confirmation: ann.account.email });
  expect((await waiting).status).toBe(401);
});

test("nothing is deleted without the address, or without a fresh proof", async () => {
  const { ann, id } = await annWithTask();
  for (const confirmation of ["", "yes", `x${ann.account.email}`])
    expectPage(
      await ann.post("/account/delete", { confirmation }),
      422,
      `Type ${ann.account.email} to confirm.`,
    );
  server.clock.advance(11 * MINUTE);
  const confirmation = ` ${ann.account.email.toUpperCase()} `;
  expectPage(
    await ann.post("/account/delete", { confirmation }),
    422,
    "Enter your password to continue.",
  );
  expect(await readAccount(server.store, id)).not.toBeNull();
  const seen = await ann.post("/account/delete", { confirmation, password: PASSWORD });
  expectPage(seen, 200, "Your account is deleted");
  expect(await findAccount(server.store, ann.account.email)).toBeNull();
});

test("the owner is told why their account stays", async () => {
  const ann = await someoneSignedIn(server);
  await server.store.writer.write((tx) =>
    tx.orm.run(sql`UPDATE account SET owner = 1 WHERE id = ${ann.account.id}`),
  );
  const page = await ann.get("/account/delete");
  expectPage(page, 200, OWNER_STAYS);
  expect(page.html).not.toContain('action="/account/delete"');
  const seen = await ann.post("/account/delete", { confirmation: ann.account.email });
  expectPage(seen, 403, OWNER_STAYS);
  expect(await readAccount(server.store, ann.account.id)).not.toBeNull();
});

test("the page offers an export, which holds everything that a device gets, and nothing of others", async () => {
  const { ann, session } = await annWithTask();
  await annWithTask("bob");
  expect((await ann.get("/account/delete")).html).toContain('href="/account/export"');
  const seen = await ann.get("/account/export");
  expect([seen.status, seen.headers.get("content-disposition")]).toEqual([
    200,
    'attachment; filename="docket-export.json"',
  ]);
  const { records, ...head } = JSON.parse(seen.html);
  const pulled = await server.call("GET", "/sync", { token: session });
  const changes = JSON.parse(pulled.text).changes as Record<string, { rev: string }[]>;
  const rows = Object.entries(changes).map(([table, all]) => [
    table,
    all.map(({ rev: _rev, ...row }) => row),
  ]);
  expect(records).toMatchObject(Object.fromEntries(rows));
  expect(head).toEqual({
    format: "docket.export/1",
    account: ann.account.email,
    server: server.url,
    exported_at: new Date(server.clock.wall()).toISOString(),
  });
  expect((await visitor(server).get("/account/export")).status).toBe(303);
});
