import { describe, expect, test } from "bun:test";
import { addAccount, disableAccount, listAccounts } from "../../src/db/people/accounts.ts";
import { MINUTE } from "../../src/domain/base/instant.ts";
import { ask } from "../support/db/store.ts";
import { annsForm, ownedServer, setUpCode, unownedServer } from "../support/web/joining.ts";
import { PASSWORD, visitor } from "../support/web/visitor.ts";
import { storedIn } from "../support/web/table.ts";

// Password hashes are slow, even more so while other tests run.

const UNKNOWN = "This code is not valid. It may be mistyped, or a newer code may have replaced it.";
const REMEDY =
  "To get a new one, run `docket owner link` on the server's machine, or restart the server.";

describe("the first start", () => {
  test("sends everyone to setup, because nobody can sign in yet", async () => {
    const server = await unownedServer();
    const ann = visitor(server);
    await addAccount(server.store, "cli@example.org", { plan: "pro", passwordHash: null }, 0);
    for (const path of ["/sign-in", "/sign-in?next=%2Faccount"])
      expect((await ann.get(path)).location).toBe("/setup");
    const seen = await ann.get("/setup");
    expect([seen.status, seen.text]).toEqual([200, expect.stringContaining("Set up Docket")]);
    expect(seen.html).toMatch(/<input id="code"[^>]* data-fragment/);
  });

  test("allows signing in to an account with a password that was created by command", async () => {
    const server = await unownedServer();
    await addAccount(server.store, "cli@example.org", { plan: "pro", passwordHash: "x" }, 0);
    expect((await visitor(server).get("/sign-in?next=%2Faccount")).status).toBe(200);
  });

  test("creates the owner from a code, an e-mail and a password, and signs them in", async () => {
    const server = await unownedServer();
    const ann = visitor(server);
    const seen = await ann.post("/setup", annsForm(await setUpCode(server)));
    expect([seen.status, seen.location]).toEqual([303, "/tasks"]);
    expect((await ann.get("/account")).text).toContain("ann@example.org");
    expect(await listAccounts(server.store)).toMatchObject([
      { email: "ann@example.org", isOwner: true, plan: "pro" },
    ]);
    const back = await visitor(server).post("/sign-in", annsForm(""));
    expect([back.status, back.location]).toEqual([303, "/tasks"]);
  });

  test.each([
    ["in lower case", (code: string) => code.toLowerCase()],
    ["with spaces for hyphens", (code: string) => ` ${code.replaceAll("-", " ")} `],
    ["without separators", (code: string) => code.replaceAll("-", "")],
    ["with O for 0 and l for 1", (code: string) => code.replaceAll("0", "O").replaceAll("1", "l")],
  ])("the code may be typed %s", async (_name, typed) => {
    const server = await unownedServer();
    const form = annsForm(typed(await setUpCode(server)));
    expect((await visitor(server).post("/setup", form)).status).toBe(303);
  });
});

describe("setup is refused, and nothing is created,", () => {
  test.each([
    ["without a code", "", "Enter the code."],
    ["with spaces for a code", "  ", "Enter the code."],
    ["with a wrong code", "0000-0000-0000-0000-0000-0000", `${UNKNOWN} ${REMEDY}`],
    ["with something else", '"><script>', `${UNKNOWN} ${REMEDY}`],
  ])("%s", async (_name, code, problem) => {
    const server = await unownedServer();
    await setUpCode(server);
    const before = storedIn(server);
    const seen = await visitor(server).post("/setup", annsForm(code));
    expect([seen.status, seen.text]).toEqual([422, expect.stringContaining(problem)]);
    expect(seen.html).toMatch(/<p class="problem" id="code-problem">/);
    expect(seen.html).toContain('aria-describedby="code-hint code-problem"');
    expect(storedIn(server)).toEqual(before);
  });

  test("with a code that is 30 minutes old, or that was replaced by another", async () => {
    const server = await unownedServer();
    const replaced = await setUpCode(server);
    const code = await setUpCode(server);
    const ann = visitor(server);
    expect((await ann.post("/setup", annsForm(replaced))).text).toContain(`${UNKNOWN} ${REMEDY}`);
    server.clock.advance(30 * MINUTE);
    const seen = await ann.post("/setup", annsForm(code));
    expect([seen.status, seen.text]).toEqual([
      422,
      expect.stringContaining(`This code has expired. ${REMEDY}`),
    ]);
    expect(await listAccounts(server.store)).toEqual([]);
  });

  test("once there is an owner, with any code", async () => {
    const { server } = await ownedServer();
    const before = storedIn(server);
    for (const code of ["", "0000-0000-0000-0000-0000-0000"]) {
      const seen = await visitor(server).post("/setup", {
        ...annsForm(code),
        email: "e@e.example",
      });
      expect([seen.status, seen.text]).toEqual([403, expect.stringContaining("has an owner")]);
      expect(seen.html).not.toContain("ann@example.org");
    }
    const seen = await visitor(server).get("/setup");
    expect([seen.status, seen.text]).toEqual([200, expect.stringContaining("Already set up")]);
    expect(storedIn(server)).toEqual(before);
  });

  test("with wrong fields: each shows its problem, and what was typed stays, except the password", async () => {
    const server = await unownedServer();
    const form = { code: "MY-CODE", email: "ann at home", password: "1234567" };
    const seen = await visitor(server).post("/setup", form);
    expect(seen.status).toBe(422);
    expect(problemsOf(seen.html)).toEqual({
      email: "Enter an e-mail address, such as ann@example.org.",
      password:
        "The password must have at least 8 characters. A whole sentence is easy to remember.",
    });
    for (const [name, value] of [
      ["code", "MY-CODE"],
      ["email", "ann at home"],
    ])
      expect(seen.html).toMatch(new RegExp(`<input id="${name}"[^>]* value="${value}"`));
    expect(seen.html).not.toContain("1234567");
  });
});

describe("many setups at once", () => {
  test.each([
    ["one person", () => "ann@example.org"],
    ["as many people", (at: number) => `person.${at}@example.org`],
  ])(
    "fifty by %s with the same valid code create one owner, and nothing is half done",
    async (_name, email) => {
      const server = await unownedServer();
      const code = await setUpCode(server);
      const tries = Array.from({ length: 50 }, async (_, at) => {
        const browser = visitor(server);
        const seen = await browser.post("/setup", { code, email: email(at), password: PASSWORD });
        return { browser, seen };
      });
      const ended = await Promise.all(tries);
      const [winner, ...more] = ended.filter(({ seen }) => seen.status === 303);
      expect(more).toEqual([]);
      for (const { seen, browser } of ended) {
        expect(seen.status).toBeOneOf([303, 403, 422, 503]);
        if (seen.status !== 303) expect([...browser.cookies]).toEqual([]);
      }
      expect((await winner?.browser.get("/account"))?.status).toBe(200);
      expect(await listAccounts(server.store)).toMatchObject([{ isOwner: true }]);
      for (const [table, rows] of [
        ["visit", 1],
        ["known_browser", 1],
        ["code", 1],
      ] as const)
        expect(ask(server.directory, `SELECT 1 FROM ${table}`)).toHaveLength(rows);
    },
  );

  test("by strangers without a code do not keep anyone from signing in", async () => {
    const { server } = await ownedServer();
    const strangers = Array.from({ length: 60 }, (_, at) =>
      visitor(server).post("/invitation", {
        ...annsForm("0000-0000"),
        email: `${at}@evil.example`,
      }),
    );
    const ann = await visitor(server).post("/sign-in", annsForm(""));
    expect(ann.status).toBe(303);
    expect(new Set((await Promise.all(strangers)).map(({ status }) => status))).toEqual(
      new Set([422]),
    );
  });
});

test("an account that was created by command becomes the owner's, and is enabled again", async () => {
  const server = await unownedServer();
  const made = await addAccount(
    server.store,
    "ann@example.org",
    { plan: "free", passwordHash: null },
    server.clock.wall(),
  );
  await disableAccount(server.store, made.email, server.clock.wall());
  const ann = visitor(server);
  const form = { ...annsForm(await setUpCode(server)), email: " ANN@Example.org " };
  expect((await ann.post("/setup", form)).status).toBe(303);
  expect(await listAccounts(server.store)).toEqual([{ ...made, isOwner: true }]);
  expect((await ann.get("/account")).status).toBe(200);
});

/** The problem shown at each field. */
const problemsOf = (html: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...html.matchAll(/<p class="problem" id="(\w+)-problem">([^<]*)<\/p>/g)].map(
      ([, name = "", text = ""]) => [name, text],
    ),
  );
