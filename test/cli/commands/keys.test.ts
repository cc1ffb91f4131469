import { expect, test } from "bun:test";
import { PHONE } from "../../support/db/store.ts";
import { DOCKET } from "../../support/docket.ts";
import { run } from "../../support/program.ts";
import { change, expectRefusal, newcomer, SAYS, sharedServer } from "../../support/replies.ts";
import { annWithFolders } from "../../support/restrictions.ts";
import { NOON } from "../../support/server.ts";
import { createFolder, pushChanges } from "../../support/rules.ts";

const server = await sharedServer();
const { call, store } = server;

const docket = (...words: readonly string[]) => run(DOCKET, [...words, "--data", server.directory]);

/** Creates a key for an account with more flags. Returns what was printed, and the key's restriction. */
const makerOf =
  (email: string) =>
  async (...flags: readonly string[]) => {
    const words = [
      "--account",
      email,
      "--name",
      "bot",
      "--scopes",
      "read,write",
      "--expires",
      "never",
    ];
    const made = await docket("key", "create", ...words, ...flags);
    const { json } = await call("GET", "/me", { token: made.out.trim() });
    return { ...made, restriction: (json as { restriction?: unknown } | undefined)?.restriction };
  };

const folderIds = (ids: readonly string[]) => ({ kind: "folders", folders: ids });

test("a key can be limited to folders, given by name or ID, and the output says so", async () => {
  const { ann } = await annWithFolders(server);
  const make = makerOf(ann.account.email);
  const made = await make("--folders", " Work ,garden,Work");
  expect(made.err).toMatch(
    /^API key "bot" \([\w-]+\) can read and write\. Limited to folders "Work", "Garden"\. It never expires\.\n/,
  );
  expect(made.out).toMatch(/^docket_live_[0-9A-Za-z]{38}\n$/);
  expect(made.restriction).toEqual(folderIds(["work", "garden"]));
  const token = made.out.trim();
  expect((await call("GET", "/tasks/inside", { token })).status).toBe(200);
  expectRefusal(await call("GET", "/tasks/hidden", { token }), 404, SAYS.noTask);
});

test("a key can be limited to the inbox, and without a flag it has no restriction", async () => {
  const { ann } = await annWithFolders(server);
  const make = makerOf(ann.account.email);
  const made = await make("--inbox-only");
  expect(made.err).toContain(" can read and write. Limited to the inbox. It never expires.\n");
  expect(made.restriction).toEqual({ kind: "inbox", folders: [] });
  const free = await make();
  expect(free.err).toContain(" can read and write. It never expires.\n");
  expect(free.restriction).toBeNull();
});

test("a folder name may contain commas, and a list that can be read in two ways is refused", async () => {
  const ann = await newcomer(server);
  const folder = async (name: string) =>
    (await createFolder(store, ann.account.id, { name, colour: null }, PHONE, NOON)).id;
  const [plan, home, late] = [
    await folder("Plan, then do"),
    await folder("Home"),
    await folder("a,b,"),
  ];
  const make = makerOf(ann.account.email);
  expect((await make("--folders", "Plan, then do,Home")).restriction).toEqual(
    folderIds([plan, home]),
  );
  expect((await make("--folders", `Home,a,b,`)).restriction).toEqual(folderIds([home, late]));
  const twice = {
    code: 2,
    out: "",
    err: "docket: --folders can be read in more than one way. Give each folder by its ID, as shown by `docket folder list`.\n",
  };
  await folder("Home");
  expect(await make("--folders", "Home")).toMatchObject(twice);
  await folder("Plan");
  const then = await folder("then do");
  expect(await make("--folders", "Plan, then do")).toMatchObject(twice);
  expect((await make("--folders", `${plan},${then}`)).restriction).toEqual(folderIds([plan, then]));
});

const unknown = (name: string): string =>
  `docket: This account has no folder "${name}". Run \`docket folder list\` to see its folders.\n`;

test("no key is created for a folder that does not exist", async () => {
  const { ann } = await annWithFolders(server);
  const other = await annWithFolders(server);
  const theirs = change("sync_projects", "theirs", { name: "Theirs" });
  await call("POST", "/sync", { token: other.ann.session, body: [theirs] });
  const gone = change("sync_projects", "home", {}, { deleted_at: "2026-03-04T12:00:00Z" });
  await call("POST", "/sync", { token: ann.session, body: [gone] });
  const make = makerOf(ann.account.email);
  const none =
    "docket: --folders must be folder IDs or names, separated by commas. Run `docket folder list` to see them.\n";
  for (const [text, err] of [
    ["Work,Wrok", unknown("Wrok")],
    ["work,theirs,garden", unknown("theirs")],
    ["Home", unknown("Home")],
    ["home", unknown("home")],
    ["WORK", unknown("WORK")],
    ["inside", unknown("inside")],
    ["a\u001B[31mb", unknown("a\uFFFD[31mb")],
    ["", none],
    ["Work,", none],
    [",", none],
  ] as const)
    expect(await make("--folders", text)).toEqual({
      code: 2,
      out: "",
      err,
      restriction: undefined,
    });
  const listed = await docket("key", "list", "--json", "--account", ann.account.email);
  expect(JSON.parse(listed.out)).toEqual([]);
});

test("both flags together, or too many folders, are wrong usage", async () => {
  const ann = await newcomer(server);
  const records = Array.from({ length: 51 }, (_, at) =>
    change("sync_projects", `f${at}`, { name: `f${at}` }),
  );
  await pushChanges(store, ann.account.id, null, records, NOON);
  const make = makerOf(ann.account.email);
  const ids = records.map(({ id }) => id);
  for (const [flags, err] of [
    [["--folders", "f1", "--inbox-only"], "Use either --folders or --inbox-only, not both."],
    [["--folders", ids.join(",")], "An API key can be limited to at most 50 folders."],
  ] as const)
    expect(await make(...flags)).toMatchObject({ code: 2, out: "", err: `docket: ${err}\n` });
  expect((await make("--folders", ids.slice(1).join(","))).restriction).toEqual(
    folderIds(ids.slice(1) as string[]),
  );
});

test("docket key list shows the restriction of each key", async () => {
  const { ann } = await annWithFolders(server);
  const { email } = ann.account;
  const rename = change(
    "sync_projects",
    "garden",
    { name: "Gar\u202Eden" },
    { updated_at: "2026-03-04T12:00:01Z" },
  );
  await call("POST", "/sync", { token: ann.session, body: [rename] });
  const make = makerOf(email);
  for (const flags of [[], ["--folders", "work,garden,home"], ["--inbox-only"]])
    await make(...flags);
  const gone = change("sync_projects", "home", {}, { deleted_at: "2026-03-04T12:00:00Z" });
  await call("POST", "/sync", { token: ann.session, body: [gone] });
  const words = ["key", "list", "--account", email];
  const rows = JSON.parse((await docket(...words, "--json")).out) as { restriction: unknown }[];
  expect(rows.map(({ restriction }) => restriction)).toEqual([
    null,
    folderIds(["work", "garden", "home"]),
    { kind: "inbox", folders: [] },
  ]);
  const [head, ...lines] = (await docket(...words)).out.trimEnd().split("\n");
  expect(head).toMatch(/ SCOPES +RESTRICTION +REVIEW +STATE /);
  expect(lines[0]).toMatch(/ read,write +- +no +live /);
  expect(lines[1]).toContain(' Limited to folders "Work", "Gar\uFFFDden", (deleted) ');
  expect(lines[2]).toMatch(/ read,write +Limited to the inbox +no +live /);
});

test("docket key create --review makes a key of which a person reviews what it creates", async () => {
  const { ann } = await annWithFolders(server);
  const words = ["--name", "planner", "--account", ann.account.email, "--scopes", "read,write"];
  const { out, err } = await docket("key", "create", ...words, "--review");
  expect(err).toContain("What it creates waits until you keep it.");
  const made = await call("POST", "/tasks", { token: out.trim(), body: { title: "t" } });
  expect(made.json.status).toBe("proposed");
});

test("docket folder list shows the folders of one account or of all accounts", async () => {
  const { ann } = await annWithFolders(server);
  const { email } = ann.account;
  const row = (id: string, name: string) => ({ id, account: email, name });
  const mine = [row("garden", "Garden"), row("home", "Home"), row("work", "Work")];
  const one = JSON.parse((await docket("folder", "list", "--json", "--account", email)).out);
  expect(one).toEqual(mine);
  const all = JSON.parse((await docket("folder", "list", "--json")).out);
  expect(all).toEqual(expect.arrayContaining(mine) as unknown);
  expect(all.length).toBeGreaterThan(3);
  const bob = await newcomer(server, "bob");
  expect(await docket("folder", "list", "--account", bob.account.email)).toEqual({
    code: 0,
    out: "",
    err: "There are no folders yet.\n",
  });
});
