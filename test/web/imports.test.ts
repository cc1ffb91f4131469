import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { ask } from "../support/db/store.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { someoneSignedIn, type Visitor } from "../support/web/visitor.ts";

const server = await startServer();

const BOOKMARKS = `<!DOCTYPE NETSCAPE-Bookmark-file-1>
<DL><p><DT><H3>Trip</H3><DL><p>
<DT><A HREF="https://a.example/">Ferry</A>
<DT><A HREF="https://b.example/">Hut</A>
<DT><A HREF="javascript:alert(1)">Script</A>
</DL></DL>`;

/** Sends a file as the page's script does. Returns the address of its preview. */
const sendFile = async (
  ann: Visitor,
  body: BodyInit,
): Promise<{ readonly status: number; readonly to?: string; readonly error?: string }> => {
  const { status, html } = await ann.sendFile("/account/import?name=bookmarks.html", body);
  return { status, ...(JSON.parse(html) as object) };
};

const filesOf = ({ directory }: TestServer): readonly string[] =>
  readdirSync(join(directory, "uploads"));

/** Looks at an import's page until it has ended. */
const reportOf = async (ann: Visitor, location: string | null) => {
  for (;;) {
    const page = await ann.get(location ?? "");
    if (!page.html.includes("data-progress")) return page;
    await Bun.sleep(20);
  }
};

const bring = async (ann: Visitor, file: string, wish: Readonly<Record<string, string>> = {}) => {
  const { to = "" } = await sendFile(ann, file);
  return reportOf(ann, (await ann.post(to, wish)).location);
};

test("a file is looked at first, then imported, and taken back", async () => {
  const ann = await someoneSignedIn(server);
  const { to = "" } = await sendFile(ann, BOOKMARKS);
  const preview = await ann.get(to);
  expect(preview.text).toContain("bookmarks.html (bookmarks as HTML). Nothing is imported yet.");
  expect(preview.text).toContain("New 1 task, 2 tabs, 1 folder");
  expect(preview.text).toContain("1 thing left out unsupported: javascript:alert(1)");
  expect((await ann.get("/account/export?format=csv")).html).not.toContain("Ferry");
  const { status, location } = await ann.post(to);
  expect([status, location]).toEqual([303, expect.stringMatching(/^\/account\/import\/\d+$/)]);
  const report = await reportOf(ann, location);
  expect(report.text).toContain("Imported. See your tasks");
  expect(report.text).toContain("Made 1 task, 2 tabs, 1 folder");
  expect(report.text).toContain("unsupported: javascript:alert(1)");
  expect(filesOf(server)).toEqual([]);
  expect((await ann.get("/account/export?format=csv")).html).toContain(
    "Trip,todo,,,https://a.example/",
  );
  expect((await ann.post(`${location}/undo`)).location).toBe(location);
  expect((await reportOf(ann, location)).text).toMatch(
    /Deleted: 1 task and 1 folder.*Taken back on/,
  );
  expect((await ann.get("/account/export?format=csv")).html).not.toContain("Ferry");
  expect((await ann.get("/account/import")).text).toMatch(/bookmarks.html .* taken back/);
});

test("the same file again makes nothing, and the page says so", async () => {
  const ann = await someoneSignedIn(server);
  await bring(ann, BOOKMARKS);
  const { to = "" } = await sendFile(ann, BOOKMARKS);
  const { text } = await ann.get(to);
  expect(text).toContain("Everything in this file is here already.");
  expect(text).toContain("Already here 1 task");
});

test("links go where the person wants them", async () => {
  const ann = await someoneSignedIn(server);
  const { to = "" } = await sendFile(ann, BOOKMARKS);
  const { html, text } = await ann.get(`${to}?into=Old+things&links=tasks`);
  expect(text).toContain("New 2 tasks, 2 tabs, 1 folder");
  expect(html).toContain('name="into" value="Old things"');
  await bring(ann, BOOKMARKS, { into: "Old things", links: "tasks" });
  const { html: table } = await ann.get("/account/export?format=csv");
  expect(table.split("\r\n").slice(1, 3)).toEqual([
    "Old things,Ferry,todo,,,https://a.example/,Ferry,,",
    "Old things,Hut,todo,,,https://b.example/,Hut,,",
  ]);
});

test.each([
  ["\0\u0001\u0002", "This is no format that Docket knows."],
  ["", "There is nothing in the file."],
  ['{"sessions": [', "The file ends early or is damaged."],
])("%p is refused in words, and its file removed", async (file, words) => {
  const ann = await someoneSignedIn(server);
  const before = filesOf(server);
  const { status, error } = await sendFile(ann, file);
  expect([status, error]).toEqual([422, expect.stringContaining(words)]);
  expect(filesOf(server)).toEqual(before);
});

test("a file above 256 MiB is refused while it arrives", async () => {
  const ann = await someoneSignedIn(server);
  const before = filesOf(server);
  const mebibyte = new Uint8Array(1024 * 1024);
  let left = 258;
  const stream = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      left -= 1;
      if (left < 0) controller.close();
      else controller.enqueue(mebibyte);
    },
  });
  const answer = await sendFile(ann, stream).catch(() => null);
  // The server ends the connection in the middle of what it no longer wants.
  if (answer) expect(answer.error).toContain("larger than 256 MiB");
  expect(filesOf(server)).toEqual(before);
});

test("nobody else sees a file, its import or its report, or takes it back", async () => {
  const [ann, bob] = [await someoneSignedIn(server), await someoneSignedIn(server, "bob")];
  const { to = "" } = await sendFile(ann, BOOKMARKS);
  expect((await bob.get(to)).status).toBe(404);
  expect((await bob.post(to)).status).toBe(404);
  const { location } = await ann.post(to);
  await reportOf(ann, location);
  expect((await bob.get(location ?? "")).status).toBe(404);
  for (const path of ["undo", "resume"])
    expect((await bob.post(`${location}/${path}`)).status).toBe(404);
  expect((await ann.get("/account/export?format=csv")).html).toContain("Ferry");
});

test("an account holds one file that is not imported yet", async () => {
  const ann = await someoneSignedIn(server);
  const before = filesOf(server).length;
  const { to: first = "" } = await sendFile(ann, BOOKMARKS);
  const { to: second = "" } = await sendFile(ann, BOOKMARKS);
  expect((await ann.get(first)).status).toBe(404);
  expect((await ann.get(second)).status).toBe(200);
  expect(filesOf(server)).toHaveLength(before + 1);
});

test("an import for which there is no room makes nothing, and the page says why", async () => {
  const small = await startServer({ quota: 2_000 });
  const ann = await someoneSignedIn(small);
  const { to = "" } = await sendFile(ann, BOOKMARKS.replace("Ferry", "F".repeat(400)));
  const { status, text } = await ann.post(to);
  expect([status, text]).toEqual([422, expect.stringContaining("and this would be more")]);
  expect((await ann.get("/account/import")).text).not.toContain("Imported before");
  // It can be tried again.
  expect((await ann.get(to)).status).toBe(200);
});

test("an export has its format's name and type, and is of a folder or a task if asked", async () => {
  const ann = await someoneSignedIn(server);
  await bring(ann, BOOKMARKS.replace("Trip", "Trip <1>"));
  const html = await ann.get("/account/export?format=html");
  expect(html.html).toContain("<H3>Trip &lt;1&gt;</H3>");
  expect(html.headers.get("content-disposition")).toContain('filename="docket-export.html"');
  const folder = /option value="([^"]+)">Bookmarks</.exec(
    (await ann.get("/account/import")).html,
  )?.[1];
  expect((await ann.get(`/account/export?format=onetab&folder=${folder}`)).html).toContain(
    "https://a.example/ | Ferry",
  );
  const [id] = ask<{ id: string }>(
    server.directory,
    `SELECT id FROM record WHERE account_id = ${ann.account.id} AND tbl = 'sync_tasks'`,
  );
  const asked = await ann.get(`/account/import?task=${id?.id}`);
  expect(asked.text).toContain("Only Trip <1> . Export more");
  expect((await ann.get(`/account/export?format=onetab&task=${id?.id}`)).html).toContain("Ferry");
  expect((await ann.get("/account/import?task=none")).status).toBe(404);
  expect((await ann.get("/account/export?format=onetab&folder=none")).status).toBe(422);
  expect((await ann.get("/account/export?format=onetab&task=none")).status).toBe(404);
  await bring(ann, BOOKMARKS.replace("Ferry", "=1+1").replace("Trip", "Sums"));
  expect((await ann.get("/account/export?format=csv")).html).toContain(",=1+1,");
  expect((await ann.get("/account/export?format=spreadsheet")).html).toContain(",'=1+1,");
  expect((await ann.get("/account/export?format=docx")).text).toContain("The format must be json");
  expect((await ann.get("/account/export?folder=x")).text).toContain("another format than json");
});

test("a file that is cut off on its way leaves nothing, and is no fault of the server", async () => {
  const ann = await someoneSignedIn(server);
  const before = filesOf(server);
  const cut = new AbortController();
  const stream = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      controller.enqueue(new Uint8Array(100_000));
      await Bun.sleep(20);
      cut.abort();
    },
  });
  const request = fetch(`${server.url}/account/import?name=a`, {
    method: "POST",
    body: stream,
    signal: cut.signal,
    headers: {
      origin: server.url,
      "content-type": "application/octet-stream",
      cookie: [...ann.cookies].map(([name, value]) => `${name}=${value}`).join("; "),
    },
  });
  expect(await request.catch(() => null)).toBeNull();
  // The next file need not wait until the server has noticed.
  expect((await sendFile(ann, BOOKMARKS)).status).toBe(200);
  while (filesOf(server).length > before.length + 1) await Bun.sleep(10);
  expect(server.logged.filter((line) => line.includes('"error"'))).toEqual([]);
});

test("a file that is sent while another one hangs takes its place", async () => {
  const ann = await someoneSignedIn(server);
  const before = filesOf(server);
  const { promise: isOver, resolve: goOn } = Promise.withResolvers<void>();
  let isSent = false;
  const stream = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      if (isSent) await isOver;
      controller.enqueue(Buffer.from("https://slow.example/\n"));
      if (isSent) controller.close();
      isSent = true;
    },
  });
  const hanging = sendFile(ann, stream);
  while (filesOf(server).length === before.length) await Bun.sleep(5);
  expect((await sendFile(ann, BOOKMARKS)).status).toBe(200);
  goOn();
  expect(await hanging).toMatchObject({ status: 409 });
  expect(filesOf(server)).toHaveLength(before.length + 1);
});
