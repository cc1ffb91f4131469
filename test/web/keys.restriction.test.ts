import { expect, test } from "bun:test";
import { listKeys } from "../../src/db/people/api-keys.ts";
import type { Restriction } from "../../src/domain/people/api-key.ts";
import { change, expectRefusal, SAYS, sharedServer } from "../support/replies.ts";
import { NOON } from "../support/server.ts";
import { type Seen, someoneSignedIn } from "../support/web/visitor.ts";
import { pushChanges } from "../support/rules.ts";

const server = await sharedServer();
const { call, store } = server;

const WISH = { name: "helper", read: "yes", write: "yes", expires: "90d" };
const HOSTILE = `</label><script>alert(1)</script>”, in all\u202Efolders`;

const secretIn = (seen: Seen): string => /docket_live_\w{38}/.exec(seen.text)?.[0] ?? "";

/** Ann with folders: one has a hostile name, and one is deleted. */
const withFolders = async () => {
  const ann = await someoneSignedIn(server);
  const records = [
    change("sync_projects", "work", { name: "Work" }),
    change("sync_projects", "it's", { name: HOSTILE }),
    change("sync_projects", "gone", {}, { deleted_at: "2026-03-04T12:00:00Z" }),
    change("sync_tasks", "inside", { title: "inside", project_id: "work" }),
    change("sync_tasks", "loose", { title: "loose" }),
  ];
  await pushChanges(store, ann.account.id, null, records, NOON);
  const restrictiones = async () =>
    (await listKeys(store, ann.account.id)).map(({ restriction }) => restriction);
  return { ann, restrictiones };
};

test("the form offers the whole account first, then the account's live folders and the inbox", async () => {
  const { ann } = await withFolders();
  const { html } = await ann.get("/account/keys/new");
  expect(html).toMatch(/<input type="radio" name="where" value="account" checked\/>/);
  for (const value of ["folders", "inbox"])
    expect(html).toContain(`<input type="radio" name="where" value="${value}"/>`);
  expect([...html.matchAll(/name="(folder:[^"]*)"/g)].map(([, name]) => name).toSorted()).toEqual([
    "folder:it's",
    "folder:work",
  ]);
});

test("a folder's name is shown as text everywhere", async () => {
  const { ann } = await withFolders();
  const form = { ...WISH, where: "folders", "folder:it's": "yes" };
  const made = await ann.post("/account/keys", form);
  const keys = await listKeys(store, ann.account.id);
  for (const seen of [
    made,
    await ann.get("/account/keys"),
    await ann.get(`/account/keys/${keys[0]?.id}/replace`),
  ]) {
    expect(seen.status).toBe(200);
    expect(seen.html).not.toContain("<script>alert");
    expect(seen.html).not.toContain("\u202E");
    expect(seen.html).toContain("<bdi>&lt;/label>&lt;script>");
  }
  // Neither the name nor an odd id appears in what is pasted into a shell.
  const pasted = [...made.html.matchAll(/<pre[^>]*>([^<]*)<\/pre>/g)]
    .map(([, text]) => text)
    .join("\n");
  expect(pasted).toContain("&quot;folder&quot;: &quot;ID-OF-A-FOLDER&quot;");
  expect(pasted).not.toMatch(/alert|it&#39;s/);
});

test("a key created for a folder is limited to it, and every page says so", async () => {
  const { ann, restrictiones } = await withFolders();
  const made = await ann.post("/account/keys", { ...WISH, where: "folders", "folder:work": "yes" });
  const restriction: Restriction = { kind: "folders", folders: ["work"] };
  expect(await restrictiones()).toEqual([restriction]);
  expect(made.text).toContain("can read and write, in the folder “ Work ” only, until 2 June 2026");
  const token = secretIn(made);
  expect((await call("GET", "/tasks/inside", { token })).status).toBe(200);
  expectRefusal(await call("GET", "/tasks/loose", { token }), 404, SAYS.noTask);
  const { text } = await ann.get("/account/keys");
  expect(text).toContain("read and write in the folder “ Work ” only active");
  const path = `/account/keys/${(await listKeys(store, ann.account.id))[0]?.id}/replace`;
  expect((await ann.get(path)).text).toContain(
    "Like the old key, it works in the folder “ Work ” only.",
  );
  const next = await ann.post(path, { grace: "0h" });
  expect(next.text).toContain("can read and write, in the folder “ Work ” only, until");
  expect(await restrictiones()).toEqual([restriction, restriction]);
});

test("a key created for the inbox is limited to it", async () => {
  const { ann, restrictiones } = await withFolders();
  const made = await ann.post("/account/keys", { ...WISH, where: "inbox" });
  expect(made.text).toContain("can read and write, in the inbox only, until");
  expect(await restrictiones()).toEqual([{ kind: "inbox" }]);
  expect((await ann.get("/account/keys")).text).toContain(
    "read and write in the inbox only active",
  );
});

const { write: _write, ...READ_ONLY } = WISH;
const { read: _read, ...WRITE_ONLY } = WISH;

test.each([
  [
    WISH,
    ["show the inbox", "file a tab"],
    ["GET /tasks lists the inbox task", "POST /inbox/tabs files tabs"],
  ],
  [READ_ONLY, ["show the inbox"], ["GET /tasks lists the inbox task"]],
  [WRITE_ONLY, ["check that the key works", "file a tab"], ["POST /inbox/tabs files tabs"]],
])("what is pasted for an inbox-only key works as it is: %#", async (wish, titles, told) => {
  const { ann } = await withFolders();
  const { text, html } = await ann.post("/account/keys", { ...wish, where: "inbox" });
  expect([...html.matchAll(/<h3>With curl: ([^<]*)</g)].map(([, title]) => title)).toEqual(titles);
  for (const words of told) expect(text).toContain(words);
  expect(text).not.toMatch(/POST \/tasks|PATCH|\/projects|lists the open tasks/);
  await expectWorking(html, secretIn({ text } as Seen));
});

test.each([WISH, READ_ONLY, WRITE_ONLY])(
  "what is pasted for a key limited to a folder works as it is: %#",
  async (wish) => {
    const { ann } = await withFolders();
    const form = { ...wish, where: "folders", "folder:work": "yes" };
    const { text, html } = await ann.post("/account/keys", form);
    expect(text).not.toContain("/inbox/tabs");
    await expectWorking(html, secretIn({ text } as Seen));
  },
);

/** Runs each curl command, and expects it to work. */
const expectWorking = async (html: string, token: string): Promise<void> => {
  const lines = [...html.matchAll(/<pre class="copy">(curl [^<]*)<\/pre>/g)].map(([, line = ""]) =>
    line.replaceAll("&quot;", '"').replaceAll("&#39;", "'"),
  );
  expect(lines.length).toBeGreaterThan(0);
  for (const line of lines) {
    const [, path = ""] = /'http[^']*\/api\/public\/v1([^']*)'$/.exec(line) ?? [];
    const [, body] = /-d '([^']*)'/.exec(line) ?? [];
    const answer = await call(body === undefined ? "GET" : "POST", path, { token, body });
    expect([line, answer.status]).toEqual([line, body === undefined ? 200 : 201]);
  }
};

const TICKED = "You ticked folders. Choose “Only in the folders ticked below”, or untick them.";
const GONE = "A folder that you ticked no longer exists. Check your choice.";

test.each<[string, Readonly<Record<string, string>>, string, string]>([
  ["no place", {}, "where", "Choose one of these options."],
  ["no such place", { where: "nowhere" }, "where", "Choose one of these options."],
  ["folders, but none ticked", { where: "folders" }, "folders", "Tick at least one folder."],
  [
    "a folder ticked with the whole account",
    { where: "account", "folder:work": "yes" },
    "where",
    TICKED,
  ],
  ["a folder ticked with the inbox", { where: "inbox", "folder:work": "yes" }, "where", TICKED],
  ["no such folder", { where: "folders", "folder:none": "yes" }, "folders", GONE],
  [
    "a deleted folder",
    { where: "folders", "folder:work": "yes", "folder:gone": "yes" },
    "folders",
    GONE,
  ],
  ["a task as a folder", { where: "folders", "folder:inside": "yes" }, "folders", GONE],
])(
  "a key with %s is not created, and the form says why at that field",
  async (_name, fields, at, problem) => {
    const { ann, restrictiones } = await withFolders();
    const seen = await ann.post("/account/keys", { ...WISH, ...fields });
    expect([seen.status, await restrictiones()]).toEqual([422, []]);
    expect(seen.html).toContain(`<p class="problem" id="${at}-problem">${problem}</p>`);
    expect(seen.html).toContain(`aria-describedby="${at}-problem"`);
    expect(seen.html.match(/class="problem/g)).toHaveLength(1);
    // What was typed stays.
    expect(seen.html).toContain('value="helper"');
    expect(/name="folder:work" value="yes" checked/.test(seen.html)).toBe("folder:work" in fields);
    const { where } = fields;
    if (where && where !== "nowhere") expect(seen.html).toContain(`value="${where}" checked`);
  },
);

test("another account's folder is as unknown as one that does not exist", async () => {
  const { ann, restrictiones } = await withFolders();
  const bob = await someoneSignedIn(server, "bob");
  const theirs = [change("sync_projects", "theirs", { name: "secret" })];
  await pushChanges(store, bob.account.id, null, theirs, NOON);
  const form = { ...WISH, where: "folders", "folder:theirs": "yes" };
  const seen = await ann.post("/account/keys", form);
  expect([seen.status, await restrictiones()]).toEqual([422, []]);
  expect(seen.text).toContain(GONE);
  expect(seen.html).not.toContain("secret");
});

test("too many folders for one key are refused, and the oldest 500 folders can be ticked", async () => {
  const ann = await someoneSignedIn(server);
  const records = Array.from({ length: 501 }, (_, at) =>
    change("sync_projects", `f${String(at).padStart(3, "0")}`, { name: `folder ${at}` }),
  );
  await pushChanges(store, ann.account.id, null, records, NOON);
  const ticked = (count: number) =>
    Object.fromEntries(records.slice(0, count).map(({ id }) => [`folder:${String(id)}`, "yes"]));
  const page = await ann.get("/account/keys/new");
  expect(page.html.match(/name="folder:/g)).toHaveLength(500);
  expect(page.text).toContain("Only your 500 oldest folders are listed.");
  const many = await ann.post("/account/keys", { ...WISH, where: "folders", ...ticked(51) });
  expect([many.status, many.text]).toEqual([
    422,
    expect.stringContaining("Tick at most 50 folders."),
  ]);
  const made = await ann.post("/account/keys", { ...WISH, where: "folders", ...ticked(50) });
  expect(made.status).toBe(200);
});

test("an inbox-only key may have only the scope read", async () => {
  const { ann, restrictiones } = await withFolders();
  const made = await ann.post("/account/keys", { ...READ_ONLY, where: "inbox" });
  expect([made.status, await restrictiones()]).toEqual([200, [{ kind: "inbox" }]]);
  expect(made.text).toContain("can read, in the inbox only, until");
});
