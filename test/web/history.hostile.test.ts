import { expect, test } from "bun:test";
import { formatInstant, HOUR, MINUTE } from "../../src/domain/base/instant.ts";
import { sharedServer } from "../support/replies.ts";
import { cardsOf, linkTo, someoneWithAPast } from "../support/web/past.ts";

const server = await sharedServer();
const { clock } = server;

const HISTORY = "/account/tasks/t/history";
const MEBIBYTE = 1024 * 1024;

/** The history and restore pages of a task that had these versions, one after the other. */
const pagesOf = async (...versions: readonly unknown[]) => {
  const { person, laptop } = await someoneWithAPast(server);
  for (const payload of versions) {
    await laptop.push("t", payload);
    clock.advance(HOUR);
  }
  const history = await person.get(HISTORY);
  const restore = await person.get(linkTo(history, "Restore the version before this"));
  return { person, laptop, history, restore };
};

const EVIL = `</title></script><script>alert(1)</script><img src=x onerror=alert(2)>\u202Egnp\u0007`;
const SHOWN = `</title></script><script>alert(1)</script><img src=x onerror=alert(2)>\uFFFDgnp\uFFFD`;

test("whatever others put into a task is shown as text", async () => {
  const evil = {
    title: EVIL,
    status: EVIL.slice(0, 60),
    colour: "red;background:url(https://evil.example/)",
    project_id: EVIL,
    bucket_id: "\u2066trash\u0000",
    pages: [
      { id: "a", url: "javascript:alert(1)", title: EVIL },
      { id: "b", url: `https://a.example/"onclick="x`, title: "\u202E" },
      { id: "c", url: "data:text/html,<script>alert(1)</script>", title: "t" },
    ],
    notes: [{ id: "n", text: EVIL }, "\u2066\u0000"],
    [EVIL]: 1,
    ["__proto__"]: { polluted: true },
  };
  const tame = {
    title: "t",
    pages: [{ id: "a", url: "https://a.example/", title: "t" }],
    notes: [],
  };
  const { history, restore } = await pagesOf(tame, evil, tame);
  for (const { status, html, text } of [history, restore]) {
    expect([status, html.match(/<script/g)?.length]).toEqual([200, 1]);
    expect(html).not.toMatch(/<img|\sstyle=|\son\w+=(?!alert\(2\)|&quot;)|href="(?![/#])/);
    // The only control characters are our own line breaks, in a note that is shown in full.
    expect(html.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\u202A-\u202E\u2066-\u2069]/u);
    expect(text).toContain(SHOWN);
    expect(text).toContain("javascript:alert(1)");
  }
});

test("half of an emoji, and a task with nothing in its right form, do not break the page", async () => {
  const { history, restore } = await pagesOf(
    { title: "\uD83E", pages: { no: "list" }, notes: 7 },
    { title: ["\uD83E"], pages: [null, 7, [], {}], notes: "none", status: { deep: [1] } },
    {},
  );
  expect([history.status, restore.status]).toEqual([200, 200]);
  expect(history.html.isWellFormed()).toBe(true);
  expect(cardsOf(history)).toHaveLength(2);
});

test("keys and folders may have any name", async () => {
  const { person, laptop, make } = await someoneWithAPast(server);
  const { secret } = await make(`<script>alert(1)</script>`);
  await laptop.push("f", { name: `<script>alert(2)</script>\u202E` }, {}, "sync_projects");
  await laptop.push("t", { title: "t" });
  clock.advance(MINUTE);
  const body = { project_id: "f" };
  await server.call("PATCH", "/tasks/t", { token: secret, body });
  const { html } = await person.get(HISTORY);
  expect(html.match(/<script/g)).toHaveLength(1);
  expect(html).toContain("Changed by the key <bdi>&lt;script>alert(1)&lt;/script></bdi>");
  expect(html).toContain("<bdi>&lt;script>alert(2)&lt;/script>\uFFFD</bdi>");
});

const note = (at: number) => `${at} ${"<".repeat(MEBIBYTE - 1_000)}`;

test("many versions with a note of 1 MiB each do not make the page large, and each note's beginning is shown", async () => {
  const versions = Array.from({ length: 12 }, (_, at) => ({
    title: "t",
    notes: [{ id: String(at), text: note(at) }],
  }));
  const { history, restore } = await pagesOf(...versions);
  for (const { status, html } of [history, restore])
    expect([status, html.length < 4_000_000]).toEqual([200, true]);
  expect(cardsOf(history)).toHaveLength(11);
  expect(history.text).toContain("Note added 11 <<<");
  expect(history.text).toContain("Note removed 10 <<<");
  expect(history.text).toContain(`Show all ${note(11).length} characters of the new text`);
  expect(history.text).toMatch(/\d+ more characters are not shown/);
});

test("a great many tabs, notes and fields of one version are counted, but not all listed", async () => {
  const many = Array.from({ length: 5_000 }, (_, at) => at);
  const { history } = await pagesOf(
    { title: "t" },
    {
      title: "t",
      pages: many.map((at) => ({ id: `p${at}`, url: `https://a.example/${at}` })),
      notes: many.map((at) => `note ${at}`),
      ...Object.fromEntries(many.map((at) => [`${"field".repeat(20)}${at}`, at])),
    },
  );
  expect([history.status, history.html.length < 30_000]).toEqual([200, true]);
  expect(history.text).toContain("Not shown 9980 more tabs and notes");
  expect(history.text).toContain("and 4980 more");
});

const around = (word: string) =>
  `<bdi>…eginning beginning beginning beginning  ${word} end end end end end end end end end end…</bdi>`;

test("a long note that changed in one place shows that place, and the rest can be opened", async () => {
  const [start, end] = ["beginning ".repeat(100), " end".repeat(200)];
  const { history } = await pagesOf(
    { title: "t", notes: [{ id: "n", text: `${start}\nold${end}` }] },
    { title: "t", notes: [{ id: "n", text: `${start}\nnew${end}` }] },
  );
  expect(history.html).toContain(`<del>${around("old")}</del>`);
  expect(history.html).toContain(`<ins>${around("new")}</ins>`);
  expect(history.html).toContain(`<pre><bdi>${start}\nnew${end}</bdi></pre>`);
  expect(history.text).not.toContain("more characters are not shown");
});

test("a task whose id needs escaping in an address has a history like any other", async () => {
  const { person, laptop } = await someoneWithAPast(server);
  for (const id of ["a/b?c#d", "../x", "ä %2F", "<script>"]) {
    await laptop.push(id, { title: "old" });
    clock.advance(MINUTE);
    await laptop.push(id, { title: "new" });
    const path = `/account/tasks/${encodeURIComponent(id)}/history`;
    expect((await person.get(`/account/tasks/${encodeURIComponent(id)}`)).html).toContain(path);
    const seen = await person.get(path);
    const restore = linkTo(seen, "Restore the version before this");
    expect((await person.get(restore)).text).toContain("Title from new to old");
    const version = new URL(restore, server.url).searchParams.get("version") ?? "";
    const done = await person.post(restore.split("?")[0] ?? "", { version });
    expect([done.status, done.location]).toEqual([303, `${path}?done=restored`]);
    expect((await laptop.pull(id))?.payload).toEqual({ title: "old" });
  }
});

test("a task that a device deleted without ever sending its contents still has a page", async () => {
  const { person, laptop } = await someoneWithAPast(server);
  await laptop.push("t", {}, { deleted_at: formatInstant(clock.wall()) });
  const seen = await person.get(HISTORY);
  expect([seen.status, cardsOf(seen)]).toEqual([200, []]);
  expect(seen.html).toContain("<h1>History of Untitled</h1>");
});

const tabs = (from: number) => Array.from({ length: 12_000 }, (_, at) => String((from + at) % 97));

test("a task that is far too large has pages that are not", async () => {
  const { person, history, restore } = await pagesOf(
    { title: "t", pages: tabs(0), notes: ["\n".repeat(300_000), "short"] },
    { title: "t", pages: [...tabs(5), "x"], notes: ["\n".repeat(300_000), "short"] },
  );
  const counted = "Tabs 12000 before, 12001 after. So many differ that they are not listed.";
  expect(history.text).toContain(counted);
  expect(restore.text).toContain("Tabs 12001 before, 12000 after.");
  const task = await person.get("/account/tasks/t");
  expect(task.html.match(/<li>/g)?.length).toBeLessThan(1_100);
  expect(task.html.match(/<br\/>/g)).toHaveLength(4_999);
  expect(task.text).toContain("Tabs (12001)");
  expect(task.text).toContain("11001 more tabs are not shown.");
  expect(task.text).toContain("Notes (2) 295001 more characters are not shown.");
  expect(task.text).toContain("1 more notes are not shown.");
});
