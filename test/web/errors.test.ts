import { Database } from "bun:sqlite";
import { describe, expect, onTestFinished, test } from "bun:test";
import { embeddedTest } from "../support/engine.ts";
import { join } from "node:path";
import { startServer } from "../support/server.ts";
import { PASSWORD, someoneSignedIn, visitor } from "../support/web/visitor.ts";

// Password hashes are slow, even more so while other tests run.

const start = async () => {
  const server = await startServer();
  onTestFinished(() => server.stop());
  return server;
};

describe("a refusal that no form can show has a page of its own", () => {
  test("that says what to do and links back", async () => {
    const server = await start();
    const ann = await someoneSignedIn(server);
    const seen = await ann.post("/sign-out", {}, { origin: "https://evil.example" });
    expect([seen.status, seen.headers.get("content-type"), seen.text]).toEqual([
      403,
      "text/html;charset=utf-8",
      expect.stringContaining(
        "Not allowed This request did not come from one of this server's pages, so nothing was changed. " +
          "Open your account and try again there. Go to your tasks or your account",
      ),
    ]);
    expect(seen.html).toContain('<a href="/account">');
  });

  test("in valid HTML, with a title that names the error", async () => {
    const server = await start();
    const stranger = visitor(server);
    const seen = await stranger.post("/sign-in", {}, { origin: "https://evil.example" });
    expect(seen.html).toStartWith('<!doctype html><html lang="en"><head><meta charset="utf-8"/>');
    expect(seen.html).toContain("<title>Not allowed · Docket</title>");
    expect(seen.html.match(/<h1>/g)).toHaveLength(1);
  });
});

describe("a bug", () => {
  embeddedTest("is described only in the log, without anything secret", async () => {
    const server = await start();
    const ann = await someoneSignedIn(server);
    const database = new Database(join(server.directory, "docket.db"));
    database.run("DROP TABLE known_browser");
    database.close();
    const form = { email: ann.account.email, password: PASSWORD };
    const seen = await ann.post("/sign-in", form);
    const id = seen.headers.get("x-request-id") ?? "";
    expect([seen.status, seen.text]).toEqual([
      500,
      expect.stringContaining(
        `Something went wrong Internal error. The server's log has the details. Look for ${id} .`,
      ),
    ]);
    expect(seen.html).not.toMatch(/sqlite|known_browser|\.ts|node_modules/i);
    expect(seen.headers.get("cache-control")).toBe("no-store");
    const logged = server.logged.filter((line) => line.includes('"level":"error"'));
    expect(logged).toEqual([expect.stringContaining("no such table: known_browser")]);
    expect(logged[0]).toContain(id);
    for (const secret of [PASSWORD, "$argon2id", ...ann.cookies.values()])
      expect(logged[0]).not.toContain(secret);
  });

  embeddedTest("in one request does not affect the next one", async () => {
    const server = await start();
    const ann = await someoneSignedIn(server);
    const database = new Database(join(server.directory, "docket.db"));
    database.run("ALTER TABLE failure RENAME TO broken");
    const form = { email: ann.account.email, password: PASSWORD };
    expect((await visitor(server).post("/sign-in", form)).status).toBe(500);
    database.run("ALTER TABLE broken RENAME TO failure");
    database.close();
    expect((await visitor(server).post("/sign-in", form)).status).toBe(303);
    expect((await ann.get("/account")).status).toBe(200);
  });
});

embeddedTest("storage that cannot be written gets a page that says to try again", async () => {
  const server = await start();
  const ann = await someoneSignedIn(server);
  const other = new Database(join(server.directory, "docket.db"));
  other.run("BEGIN IMMEDIATE");
  const form = { email: ann.account.email, password: PASSWORD };
  const seen = await visitor(server).post("/sign-in", form);
  other.run("ROLLBACK");
  other.close();
  expect([seen.status, seen.headers.get("retry-after"), seen.text]).toEqual([
    503,
    "5",
    expect.stringContaining(
      "The server cannot write to its storage right now. Nothing was changed. Try again later.",
    ),
  ]);
  expect((await ann.get("/account")).status).toBe(200);
});
