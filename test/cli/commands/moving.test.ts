import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DOCKET } from "../../support/docket.ts";
import { run } from "../../support/program.ts";
import { newcomer, sharedServer } from "../../support/replies.ts";

// `docket import` and `docket export`, beside a running server.

const server = await sharedServer();
const { call } = server;

const FILE = "shelf.html";
const SHELF = `<!DOCTYPE NETSCAPE-Bookmark-file-1><H1>Bookmarks</H1><DL><p>
<DT><H3>Garden</H3><DL><p>
<DT><A HREF="https://oak.example/">Oak</A>
<DT><A HREF="javascript:alert(1)">Tool</A>
</DL><p></DL><p>`;

/** A new account, and `docket` on it with its bookmarks at hand. */
const withShelf = async () => {
  const ann = await newcomer(server);
  const file = join(server.directory, FILE);
  writeFileSync(file, SHELF);
  const docket = (...words: readonly string[]) =>
    run(DOCKET, [...words, "--account", ann.account.email, "--data", server.directory]);
  const titles = async (): Promise<string[]> => {
    const { json } = await call("GET", "/tasks", { token: ann.session });
    return (json.tasks as { title: string }[]).map(({ title }) => title);
  };
  return { ann, file, docket, titles };
};

test("an import says what it makes and leaves out, makes it, and makes nothing twice", async () => {
  const { file, docket, titles } = await withShelf();
  const news = [
    `${FILE}: bookmarks as HTML`,
    "  New: 1 task, 1 tab, 0 notes, 1 folder",
    "  Bookmarks > Garden (1 tab)",
    "  Left out: 1",
    "    unsupported: javascript:alert(1)",
  ];
  const dry = await docket("import", file, "--dry-run");
  expect([dry.code, dry.out, await titles()]).toEqual([0, `${news.join("\n")}\n`, []]);
  const made = await docket("import", file);
  expect(made.out).toMatch(/To take it back: docket import undo \d+\n$/);
  expect(await titles()).toEqual(["Garden"]);
  const again = await docket("import", file);
  expect(again.out).toBe(
    `${FILE}: bookmarks as HTML\n  Already here: 1\n  There is nothing new in it.\n`,
  );
});

test("imports are listed, reported as JSON, and taken back", async () => {
  const { file, docket, titles } = await withShelf();
  const [report] = JSON.parse((await docket("import", file, "--json")).out);
  expect(report).toMatchObject({
    file: FILE,
    format: "netscape",
    tasks: 1,
    tabs: 1,
    known: 0,
    skipped: [{ what: "javascript:alert(1)", reason: "unsupported" }],
  });
  const listed = JSON.parse((await docket("import", "list", "--json")).out);
  expect(listed).toMatchObject([{ id: report.id, file: FILE, tasks: 1, state: "finished" }]);
  const undone = await docket("import", "undo", `${report.id}`);
  expect([undone.code, undone.out]).toEqual([0, "Deleted: 1 task, 1 folder.\n"]);
  expect(await titles()).toEqual([]);
  expect(JSON.parse((await docket("import", "list", "--json")).out)[0].state).toBe("taken back");
  const { docket: other } = await withShelf();
  expect((await other("import", "undo", `${report.id}`)).code).toBe(1);
});

test("links can be tasks, and everything can go into one folder", async () => {
  const { file, docket, titles, ann } = await withShelf();
  await docket("import", file, "--links", "tasks", "--into", "Desk");
  expect(await titles()).toEqual(["Oak"]);
  const { json } = await call("GET", "/projects", { token: ann.session });
  expect(json.projects.map(({ name }: { name: string }) => name)).toEqual(["Desk"]);
});

test("a file that cannot be read is named, with what to do", async () => {
  const { docket, file } = await withShelf();
  writeFileSync(file, '{"hello":1}');
  const unknown = await docket("import", file);
  expect([unknown.code, unknown.err]).toEqual([
    1,
    `docket: ${file}: This is no format that Docket knows. Export bookmarks as HTML, or links as a table (CSV) or as plain text.\n`,
  ]);
  expect((await docket("import", `${file}.gone`)).err).toContain("cannot be read");
  expect((await docket("import", file, "--links", "pages")).code).toBe(2);
});

test("an export comes back into another account, and one folder goes out for another tool", async () => {
  const { file, docket, ann } = await withShelf();
  await docket("import", file);
  const exported = await docket("export");
  expect(JSON.parse(exported.out)).toMatchObject({
    format: "docket.export/1",
    account: ann.account.email,
  });
  writeFileSync(file, exported.out);
  const bob = await withShelf();
  writeFileSync(file, exported.out);
  expect((await bob.docket("import", file)).out).toContain("New: 1 task, 1 tab, 0 notes, 1 folder");
  expect(await bob.titles()).toEqual(["Garden"]);
  const out = await docket("export", "--format", "onetab", "--folder", "Bookmarks");
  expect(out.out).toBe("https://oak.example/ | Oak\n\n");
  expect(await docket("export", "--format", "onetab", "--folder", "Bookmark")).toMatchObject({
    code: 1,
    out: "",
    err: 'docket: --folder does not match any folder in this account. Send an id or exact name from `docket folder list`. The nearest: "Bookmarks".\n',
  });
  expect((await docket("export", "--format", "pdf")).code).toBe(2);
});
