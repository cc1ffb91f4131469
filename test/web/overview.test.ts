import { describe, expect, test } from "bun:test";
import { DAY, MINUTE } from "../../src/domain/base/instant.ts";
import { NOON } from "../support/server.ts";
import { sharedServer } from "../support/replies.ts";
import { makeKey } from "../support/web/keys.ts";
import { someoneSignedIn, visitor } from "../support/web/visitor.ts";

const server = await sharedServer();

/** Ann, and a key of hers that has tried to delete a task. */
const world = async () => {
  const ann = await someoneSignedIn(server);
  const { secret: token } = await makeKey(server, ann.account.id, "Claude <Code>");
  const tryToDelete = () => server.call("DELETE", "/tasks/t", { token });
  await tryToDelete();
  const overview = async () => (await ann.get("/account")).text;
  const dismiss = async () => {
    const { html } = await ann.get("/account");
    const mark = /name="mark" value="([^"]+)"/.exec(html)?.[1] ?? "";
    return ann.post("/account/deleted/refused/dismiss", { mark });
  };
  return { ann, tryToDelete, overview, dismiss };
};

const TRIED =
  "The API key “ Claude <Code> ” tried to delete something on 4 March 2026, 12:00 UTC . Docket did not allow it.";

describe("a refused delete", () => {
  test("is on the overview, with the key that tried it, for seven days", async () => {
    const { overview } = await world();
    expect(await overview()).toContain(TRIED);
    server.clock.set(NOON + 7 * DAY);
    expect(await overview()).toContain("tried to delete");
    server.clock.set(NOON + 7 * DAY + 1);
    expect(await overview()).not.toContain("tried to delete");
  });

  test("can be dismissed, and the next one is shown again", async () => {
    const { overview, dismiss, tryToDelete } = await world();
    const seen = await dismiss();
    expect([seen.status, seen.location]).toEqual([303, "/account"]);
    expect(await overview()).not.toContain("tried to delete");
    server.clock.advance(2 * MINUTE);
    await tryToDelete();
    expect(await overview()).toContain("tried to delete");
  });

  test("that someone else dismissed is shown", async () => {
    const { dismiss } = await world();
    const bob = await world();
    await dismiss();
    expect(await bob.overview()).toContain("tried to delete");
  });

  test("a mark that no page gave is ignored", async () => {
    const { ann, overview } = await world();
    const seen = await ann.post("/account/deleted/refused/dismiss", { mark: "x; Path=/; a" });
    expect([seen.status, seen.headers.getSetCookie()]).toEqual([303, []]);
    expect(await overview()).toContain("tried to delete");
  });
});

describe("the overview", () => {
  test("says what is left to set up, and what each key did this week", async () => {
    const { ann, overview } = await world();
    const before = await overview();
    expect(before).toContain("Set-up: 1 of 3");
    expect(before).toContain("Give an agent a key, done");
    expect(before).toContain("Claude <Code> …");
    expect(before).toMatch(/Claude <Code> …\w+ ?: 1 call\b/);
    server.clock.advance(8 * DAY);
    const after = (await ann.get("/account")).text;
    expect(after).not.toMatch(/: 1 call\b/);
  });
});

describe("an address under /account that is no page", () => {
  test.each(["/account/nothing", "/account/keys/a/b/c", "/account/tasks/t/x", "/account/%00"])(
    "%s shows a page that says so, whoever asks",
    async (path) => {
      for (const person of [visitor(server), await someoneSignedIn(server)]) {
        const seen = await person.get(path);
        expect([seen.status, seen.headers.get("content-type")]).toEqual([
          404,
          "text/html;charset=utf-8",
        ]);
        expect(seen.text).toContain(
          "Not found There is no page at this address. Go to your tasks or your account",
        );
      }
    },
  );

  test.each(["/nothing", "/a/b/c", "/docs/nothing", "/Tasks"])(
    "so does %s, for a browser; a program gets JSON",
    async (path) => {
      const ask = (accept: string, method = "GET") =>
        fetch(`${server.url}${path}`, { method, headers: { accept } });
      const seen = await ask("text/html,application/xhtml+xml,*/*;q=0.8");
      expect([seen.status, await seen.text()]).toEqual([
        404,
        expect.stringContaining("There is no page at this address."),
      ]);
      for (const [accept, method] of [
        ["*/*", "GET"],
        ["application/json", "GET"],
        ["text/html", "POST"],
      ] as const) {
        const told = await ask(accept, method);
        expect([told.status, await told.json()]).toEqual([
          404,
          { error: `There is nothing at ${path}.` },
        ]);
      }
    },
  );

  test("addresses for programs answer in JSON to browsers too", async () => {
    for (const path of ["/api/nothing", "/mcp/nothing", "/.well-known/nothing", "/oauth/nothing"]) {
      const told = await fetch(`${server.url}${path}`, { headers: { accept: "text/html" } });
      expect([told.status, await told.json()]).toEqual([
        404,
        { error: `There is nothing at ${path}.` },
      ]);
    }
  });

  test("the pages themselves, and what is not under /account, answer as before", async () => {
    const stranger = visitor(server);
    expect((await stranger.get("/account/keys/")).location).toBe(
      "/sign-in?next=%2Faccount%2Fkeys%2F",
    );
    const api = await stranger.get("/api/nothing");
    expect(JSON.parse(api.html)).toEqual({ error: "There is nothing at /api/nothing." });
  });
});
