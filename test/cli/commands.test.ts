import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { chmodSync, existsSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DOCKET } from "../support/docket.ts";
import { type ProgramOptions, run, serve } from "../support/program.ts";
import { send, testDirectory } from "../support/server.ts";

/** A data directory with ann's account, and the program running on it. */
const withAnn = async () => {
  const directory = testDirectory();
  const docket = (words: readonly string[], options: ProgramOptions = {}) =>
    run(DOCKET, [...words, "--data", directory], options);
  await docket(["account", "add", "ann@example.org"]);
  return { directory, docket };
};

/** What the command says that signed these accounts out. */
const signedOut = (...emails: readonly string[]) => ({
  code: 0,
  out: "",
  err: [
    ...emails.map((email) => `Signed out all browsers and devices of ${email}.`),
    "API keys, passwords, passkeys and OpenID links still work.\n",
  ].join("\n"),
});

describe("accounts", () => {
  test("an e-mail address has one account, whether written in upper or lower case", async () => {
    const { docket } = await withAnn();
    expect(await docket(["account", "add", "ANN@example.org"])).toEqual({
      code: 1,
      out: "",
      err: "docket: There is already an account for ann@example.org.\n",
    });
    const { out } = await docket(["account", "list", "--json"]);
    expect(JSON.parse(out)).toMatchObject([
      { email: "ann@example.org", plan: "pro", disabled_at: null },
    ]);
  });

  test("a password is read from standard input, and only its argon2id hash is stored", async () => {
    const { directory, docket } = await withAnn();
    const set = await docket(["account", "password", "ann@example.org"], {
      input: "correct horse\n",
    });
    expect(set).toEqual({
      code: 0,
      out: "",
      err: "Set a new password for ann@example.org. Its browsers and devices are signed out.\nIts API keys (`docket key list`), passkeys, OpenID links and authenticator app still work.\n",
    });
    const short = await docket(["account", "add", "bob@example.org", "--password-stdin"], {
      input: "short",
    });
    expect(short).toEqual({
      code: 2,
      out: "",
      err: "docket: The password must have at least 8 characters. A whole sentence is easy to remember.\n",
    });
    const accented = await docket(["account", "password", "ann@example.org"], {
      input: "p\u00e4ssw\u00f6rd f\u00fcr b\u00fccher 9".normalize("NFD"),
    });
    expect(accented.code).toBe(0);
    // Four letters, of which each is three characters as it is typed.
    const four = await docket(["account", "password", "ann@example.org"], {
      input: "\u1EC7\u1ED1\u1EC7\u1ED1".normalize("NFD"),
    });
    expect(four.code).toBe(2);
    const stored = await Bun.file(join(directory, "docket.db")).text();
    expect(stored).toContain("$argon2id$v=19$m=19456,t=2,p=1$");
    expect(stored).not.toContain("correct horse");
  });

  test("everyone is signed out, of one account or of all, while the server runs, and API keys stay", async () => {
    const { directory, docket } = await withAnn();
    await docket(["account", "add", "bob@example.org"]);
    const server = await serve(DOCKET, ["--data", directory]);
    const make = async (email: string, ...words: readonly string[]): Promise<string> =>
      (await docket([...words, "--account", email])).out.trim();
    const ann = await make("ann@example.org", "session", "create");
    const key = await make("ann@example.org", "key", "create", "--name", "bot");
    const bob = await make("bob@example.org", "session", "create");
    const statuses = async () => {
      const asked = [ann, key, bob].map((token) =>
        send("GET", `${server.url}/api/public/v1/me`, { token }),
      );
      return (await Promise.all(asked)).map(({ status }) => status);
    };
    expect(await statuses()).toEqual([200, 200, 200]);
    expect(await docket(["account", "sign-out", "Ann@example.org"])).toEqual(
      signedOut("ann@example.org"),
    );
    expect(await statuses()).toEqual([401, 200, 200]);
    expect(await docket(["account", "sign-out", "--all"])).toEqual(
      signedOut("ann@example.org", "bob@example.org"),
    );
    expect(await statuses()).toEqual([401, 200, 401]);
    for (const words of [[], ["ann@example.org", "--all"]])
      expect(await docket(["account", "sign-out", ...words])).toEqual({
        code: 2,
        out: "",
        err: "docket: Name one account by its e-mail address, or write --all.\n",
      });
    expect(await docket(["account", "sign-out", "eve@example.org"])).toMatchObject({ code: 1 });
    expect(await server.stop()).toBe(0);
  });

  test("an e-mail address is changed, while the server runs and while it does not", async () => {
    const { directory, docket } = await withAnn();
    await docket(["account", "add", "bob@example.org"]);
    const change = (...words: readonly string[]) => docket(["account", "email", ...words]);
    const key = (
      await docket(["key", "create", "--name", "bot", "--account", "ann@example.org"])
    ).out.trim();
    const server = await serve(DOCKET, ["--data", directory]);
    const email = async (): Promise<string> =>
      (await send("GET", `${server.url}/api/public/v1/me`, { token: key })).json.email;
    expect(await email()).toBe("ann@example.org");
    expect(await change("ANN@example.org", " Ann.Lee@example.org ")).toEqual({
      code: 0,
      out: "",
      err: "Changed the e-mail address of ann@example.org to ann.lee@example.org.\nSign in with the new one from now on. Browsers, devices and API keys still work.\n",
    });
    expect(await email()).toBe("ann.lee@example.org");
    expect(await server.stop()).toBe(0);
    expect(await change("ann.lee@example.org", "ann@example.org")).toMatchObject({ code: 0 });
    for (const [words, code, problem] of [
      [
        ["ann@example.org", "bob@example.org"],
        1,
        "There is already an account for bob@example.org.",
      ],
      [["eve@example.org", "eva@example.org"], 1, "There is no account for eve@example.org."],
      [["ann@example.org", "ANN@example.org"], 2, "The old and the new address are the same."],
      [["ann@example.org", "ann"], 2, '"ann" is not an e-mail address.'],
    ] as const)
      expect(await change(...words)).toEqual({ code, out: "", err: `docket: ${problem}\n` });
    const { out } = await docket(["account", "list", "--json"]);
    expect(JSON.parse(out)).toMatchObject([
      { email: "ann@example.org" },
      { email: "bob@example.org" },
    ]);
  });

  test("an account is deleted only if --yes is given or the question is answered", async () => {
    const { docket } = await withAnn();
    await docket(["account", "add", "bob@example.org"]);
    const unasked = await docket(["account", "delete", "ann@example.org"]);
    expect(unasked).toEqual({
      code: 2,
      out: "",
      err: "docket: This deletes everything in the account, and there is no terminal to ask you on. Nothing was changed. To delete it anyway, add --yes.\n",
    });
    expect(await docket(["account", "delete", "ann@example.org", "--yes"])).toEqual({
      code: 0,
      out: "",
      err: "Deleted the account ann@example.org. Backups still contain it.\n",
    });
    const { out } = await docket(["account", "list", "--json"]);
    expect(JSON.parse(out)).toMatchObject([{ email: "bob@example.org" }]);
    expect((await docket(["account", "delete", "ann@example.org", "--yes"])).err).toBe(
      "docket: There is no account for ann@example.org.\n",
    );
  });

  test("a second factor can only be turned off, and only where there is one", async () => {
    const { directory, docket } = await withAnn();
    const off = ["account", "second-factor", "ann@example.org", "off"];
    expect(await docket(off)).toEqual({
      code: 0,
      out: "",
      err: "ann@example.org has no authenticator app. Nothing was changed.\n",
    });
    expect(await docket(off.with(3, "on"))).toEqual({
      code: 2,
      out: "",
      err: "docket: Only its person can turn a second factor on. Write `off` to turn it off.\n",
    });
    expect((await docket(off.with(2, "bob@example.org"))).err).toBe(
      "docket: There is no account for bob@example.org.\n",
    );
    const data = new Database(join(directory, "docket.db"));
    data.run("INSERT INTO authenticator SELECT id, x'00', 0, 0 FROM account");
    data.close();
    expect((await docket(off)).err).toBe(
      "Turned off the second factor of ann@example.org. Its browsers are signed out.\n",
    );
  });

  test("a plan can be set with an end", async () => {
    const { docket } = await withAnn();
    await docket(["account", "plan", "ann@example.org", "pro", "--until", "2020-01-01T00:00:00Z"]);
    const ended = JSON.parse((await docket(["account", "list", "--json"])).out);
    expect(ended).toMatchObject([{ plan: "free", plan_until: "2020-01-01T00:00:00.000Z" }]);
    const wrong = await docket(["account", "plan", "ann@example.org", "gold"]);
    expect(wrong).toEqual({ code: 2, out: "", err: "docket: The plan must be free or pro.\n" });
  });

  test("new accounts get the default plan", async () => {
    const directory = testDirectory();
    const env = { DOCKET_DEFAULT_PLAN: "free" };
    await run(DOCKET, ["account", "add", "bob@example.org", "--data", directory], { env });
    const { out } = await run(DOCKET, ["account", "list", "--json", "--data", directory]);
    expect(JSON.parse(out)).toMatchObject([{ plan: "free" }]);
  });
});

test("a slow reader gets the whole output", async () => {
  const slowly = `${DOCKET.map((word) => `'${word}'`).join(" ")} openapi | (sleep 0.5; cat)`;
  const { out } = await run(["sh", "-c", slowly], []);
  expect(out.length).toBeGreaterThan(100_000);
  expect(() => JSON.parse(out)).not.toThrow();
});

describe("secrets", () => {
  test("a key's secret is printed alone on standard output; the list shows only its beginning and end", async () => {
    const { docket } = await withAnn();
    const made = await docket(["key", "create", "--name", "helper"]);
    expect(made.out).toMatch(/^docket_live_[0-9A-Za-z]{38}\n$/);
    expect(made.err).toContain('API key "helper"');
    const listed = await docket(["key", "list", "--json"]);
    const [key] = JSON.parse(listed.out);
    expect(key).toMatchObject({ name: "helper", scopes: ["read"], state: "live" });
    expect(Date.parse(key.expires_at) - Date.parse(key.created_at)).toBe(90 * 86_400_000);
    expect(listed.out).not.toContain(made.out.trim());
  });

  test("a revoked key stays revoked, and stays in the list", async () => {
    const { docket } = await withAnn();
    await docket([
      "key",
      "create",
      "--name",
      "helper",
      "--scopes",
      "read,write",
      "--expires",
      "never",
    ]);
    const [key] = JSON.parse((await docket(["key", "list", "--json"])).out);
    expect(key).toMatchObject({ scopes: ["read", "write"], expires_at: null });
    expect((await docket(["key", "revoke", key.id])).err).toBe('Revoked the API key "helper".\n');
    const [revoked] = JSON.parse((await docket(["key", "list", "--json"])).out);
    expect(revoked.state).toBe("revoked");
    expect(await docket(["key", "revoke", "nobody"])).toEqual({
      code: 1,
      out: "",
      err: "docket: API key not found. It may have been deleted.\n",
    });
  });

  test("a session's token is printed alone on standard output, and the session can be revoked", async () => {
    const { docket } = await withAnn();
    const made = await docket(["session", "create", "--name", "laptop"]);
    expect(made.out).toMatch(/^docket_sess_[0-9A-Za-z]{38}\n$/);
    const [session] = JSON.parse((await docket(["session", "list", "--json"])).out);
    expect(session).toMatchObject({ last_sync_at: null, pulled: 0, applied: 0, rejected: 0 });
    await docket(["session", "revoke", session.id]);
    const [revoked] = JSON.parse((await docket(["session", "list", "--json"])).out);
    expect(revoked).toMatchObject({ name: "laptop", state: "revoked", account: "ann@example.org" });
  });

  test("with more than one account, one must be named", async () => {
    const { docket } = await withAnn();
    await docket(["account", "add", "bob@example.org"]);
    expect(await docket(["session", "create"])).toEqual({
      code: 2,
      out: "",
      err: "docket: There is more than one account. Choose one with --account EMAIL.\n",
    });
    const made = await docket(["session", "create", "--account", "Bob@example.org"]);
    expect(made.code).toBe(0);
  });
});

describe("backup and restore", () => {
  test("a backup is made while the server runs, and restored once it is stopped", async () => {
    const { directory, docket } = await withAnn();
    const token = (await docket(["session", "create"])).out.trim();
    const server = await serve(DOCKET, ["--data", directory]);
    const api = `${server.url}/api/public/v1`;
    await send("POST", `${api}/tasks`, { token, body: { title: "kept" } });
    const before = (await send("GET", `${api}/sync`, { token })).json;
    const backup = join(testDirectory(), "copy.db");
    expect((await docket(["backup", backup])).out).toBe(`${backup}\n`);
    expect(statSync(backup).mode & 0o777).toBe(0o600);
    await send("POST", `${api}/tasks`, { token, body: { title: "made later" } });
    expect((await docket(["restore", backup, "--yes"])).err).toMatch(
      /^docket: A Docket server \(process \d+\) is using .*\. Stop it first\.\n$/,
    );
    const cursor = (await send("GET", `${api}/sync`, { token })).json.server_time;
    expect(await server.stop()).toBe(0);

    const restored = await docket(["restore", backup, "--yes"]);
    expect(restored.code).toBe(0);
    expect(
      readdirSync(join(directory, "backups")).some((name) => name.startsWith("before-restore-")),
    ).toBe(true);
    const again = await serve(DOCKET, ["--data", directory]);
    const base = `${again.url}/api/public/v1`;
    await send("POST", `${base}/tasks`, { token, body: { title: "after the restore" } });
    const since = (await send("GET", `${base}/sync?since=${cursor}`, { token })).json;
    expect(since.epoch).not.toBe(before.epoch);
    const titles = since.changes.sync_tasks.map(
      (row: { payload: { title: string } }) => row.payload.title,
    );
    expect(titles).toContain("after the restore");
    expect(titles).not.toContain("made later");
    await again.stop();
  });

  test("backup overwrites no file, and restore takes only a Docket database", async () => {
    const { docket } = await withAnn();
    const file = join(testDirectory(), "notes.txt");
    writeFileSync(file, "not a database");
    expect((await docket(["backup", file])).err).toBe(
      `docket: ${file} already exists, and Docket does not overwrite it. Choose another name.\n`,
    );
    expect(await docket(["restore", file, "--yes"])).toEqual({
      code: 1,
      out: "",
      err: `docket: ${file} is not a Docket database. Choose a file that \`docket backup\` made.\n`,
    });
    expect((await docket(["account", "list", "--json"])).out).toContain("ann@example.org");
  });
});

describe("the data directory", () => {
  test("is not created by a command that needs data: a mistyped directory is an error", async () => {
    const directory = join(testDirectory(), "mistyped");
    expect(await run(DOCKET, ["key", "list", "--data", directory])).toEqual({
      code: 1,
      out: "",
      err: `docket: There are no data in ${directory}. Check the path. For new data, start the server there or run \`docket account add EMAIL\`.\n`,
    });
    expect(existsSync(directory)).toBe(false);
  });

  test("is closed to other users if it holds only Docket's files, and otherwise keeps its mode", async () => {
    const [ours, shared] = [testDirectory(), testDirectory()];
    for (const directory of [ours, shared]) chmodSync(directory, 0o755);
    writeFileSync(join(shared, "other.txt"), "");
    for (const email of ["ann@example.org", "bob@example.org"])
      for (const directory of [ours, shared])
        await run(DOCKET, ["account", "add", email, "--data", directory]);
    expect([ours, shared].map((directory) => statSync(directory).mode & 0o777)).toEqual([
      0o700, 0o755,
    ]);
    expect(statSync(join(shared, "docket.db")).mode & 0o777).toBe(0o600);
  });

  test("can be named before the command too", async () => {
    const { directory } = await withAnn();
    for (const words of [
      ["--data", directory, "account", "list"],
      [`--data=${directory}`, "account", "list"],
    ])
      expect((await run(DOCKET, words)).out).toContain("ann@example.org");
  });

  test("a server answers to the host name it listens on", async () => {
    const { directory } = await withAnn();
    const server = await serve(DOCKET, ["--data", directory, "--host", "localhost"]);
    expect(server.url).toStartWith("http://localhost:");
    expect((await send("GET", `${server.url}/healthz`)).status).toBe(200);
    await server.stop();
  });
});
