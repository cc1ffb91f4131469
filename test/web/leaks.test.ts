import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { embeddedTest } from "../support/engine.ts";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sharedServer } from "../support/replies.ts";
import { annsForm, invitationCode, setUpCode } from "../support/web/joining.ts";
import { type Seen, visitor } from "../support/web/visitor.ts";

const PASSWORDS = {
  owner: "the first of my passwords",
  wrong: "a password that is wrong",
  short: "sh0rt!1",
  invited: "the password of whoever is invited",
};

const server = await sharedServer();
const pages: Seen[] = [];
const see = async (seen: Promise<Seen>) => pages.push(await seen);

// Ann sets up the server and signs in and out, bob joins, and both make mistakes.
const [ann, bob] = [visitor(server), visitor(server)];
const code = await setUpCode(server);
const form = { ...annsForm(code), password: PASSWORDS.owner };
await see(ann.post("/setup", { ...form, password: PASSWORDS.short }));
await see(ann.post("/setup", { ...form, email: "nobody" }));
await see(ann.post("/setup", form));
await see(ann.post("/setup", form));
const invitation = await invitationCode(server);
const bobs = { code: invitation, email: "bob@example.org", password: PASSWORDS.invited };
for (const _again of [1, 2]) await see(bob.post("/invitation", bobs));
await see(bob.post("/sign-in", { ...form, password: PASSWORDS.wrong }));
await see(bob.post("/sign-in", form, {}));
const first = new Map(ann.cookies);
await see(ann.get(`/sign-in?next=/account&password=${PASSWORDS.owner}`));
// A program may send a secret where it does not belong.
const careless = { origin: server.url, "user-agent": `curl ${[...first.values()].join(" ")}` };
await see(ann.get("/account", careless));
await see(ann.post("/sign-out"));
await see(ann.post("/sign-in", { ...form, email: "ANN@example.org" }, careless));
await see(ann.get("/account/no-such-page"));

/** Every secret that was sent or set, by its kind. */
const secrets = new Map<string, string>([
  ...Object.entries(PASSWORDS),
  ["set-up code", code],
  ["invitation", invitation],
  ...Object.entries({ first, later: ann.cookies, bob: bob.cookies }).flatMap(([whose, cookies]) =>
    [...cookies].map(([name, value]): [string, string] => [`${whose} ${name}`, value]),
  ),
]);

/** The secrets that a text reveals, in full or in a part that is long enough. */
const leaked = (text: string): readonly string[] =>
  [...secrets].flatMap(([name, secret]) => {
    const parts = [secret, secret.slice(0, 24), encodeURIComponent(secret), btoa(secret)];
    return parts.some((part) => text.includes(part)) ? [name] : [];
  });

test("there are secrets that could leak", () => {
  expect(secrets.size).toBe(4 + 2 + 3 * 2);
  expect(leaked(`x${PASSWORDS.wrong}x`)).toEqual(["wrong"]);
  expect(pages.map(({ status }) => status)).toEqual([
    422, 422, 303, 403, 303, 422, 422, 403, 303, 200, 303, 303, 404,
  ]);
});

describe("no password, code or cookie is", () => {
  test("in the log", () => {
    expect(server.logged.length).toBeGreaterThanOrEqual(pages.length);
    expect(leaked(server.logged.join("\n"))).toEqual([]);
  });

  test("in a page or an address, except for a code in its own form", () => {
    for (const { html, location } of pages)
      expect([...leaked(html), ...leaked(location ?? "")]).toBeOneOf([
        [],
        ["set-up code"],
        ["invitation"],
      ]);
  });

  test("in any file of the data directory, even after it was deleted", () => {
    for (const name of readdirSync(server.directory)) {
      const bytes = readFileSync(join(server.directory, name));
      expect([name, leaked(bytes.toString("latin1"))]).toEqual([name, []]);
    }
  });

  embeddedTest("in any column, in any form that could be read back", () => {
    const database = new Database(join(server.directory, "docket.db"));
    const tables = database.query("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
    for (const { name } of tables as { name: string }[]) {
      const rows = database.query<object, []>(`SELECT * FROM "${name}"`).values();
      const texts = rows
        .flat()
        .map((value) =>
          value instanceof Uint8Array ? Buffer.from(value).toString("latin1") : String(value),
        );
      expect([name, leaked(texts.join("\n"))]).toEqual([name, []]);
    }
    expect(database.query("SELECT DISTINCT length(digest) AS n FROM visit").all()).toEqual([
      { n: 32 },
    ]);
    expect(database.query("SELECT DISTINCT length(digest) AS n FROM code").all()).toEqual([
      { n: 32 },
    ]);
    expect(database.query("SELECT password_hash FROM account").all()).toEqual([
      { password_hash: expect.stringMatching(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/) },
      { password_hash: expect.stringMatching(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/) },
    ]);
    database.close();
  });
});

embeddedTest("nobody can sign in with what is stolen from the database", async () => {
  const database = new Database(join(server.directory, "docket.db"));
  const digests = ["visit", "known_browser", "code"].flatMap((table) =>
    database
      .query<{ digest: Uint8Array }, []>(`SELECT digest FROM ${table}`)
      .all()
      .map(({ digest }) => Buffer.from(digest)),
  );
  database.close();
  expect(digests.length).toBeGreaterThan(5);
  const name = `docket-${new URL(server.url).port}`;
  for (const digest of digests)
    for (const stolen of [digest.toString("hex"), digest.toString("base64url")]) {
      const thief = visitor(server);
      thief.cookies.set(name, `docket_page_${stolen}`).set(name, stolen);
      expect((await thief.get("/account")).location).toBe("/sign-in?next=%2Faccount");
      const joining = { code: stolen, email: "eve@example.org", password: PASSWORDS.invited };
      expect((await thief.post("/invitation", joining)).status).toBe(422);
    }
});
