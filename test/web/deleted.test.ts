import { expect, test } from "bun:test";
import { listDeletions } from "../../src/db/history/mass-deletions.ts";
import { DAY, formatInstant, HOUR, MINUTE } from "../../src/domain/base/instant.ts";
import { change, sharedServer } from "../support/replies.ts";
import { linkTo, someoneWithAPast } from "../support/web/past.ts";
import { PASSWORD, type Seen, someoneSignedIn } from "../support/web/visitor.ts";

const server = await sharedServer();
const { clock, store } = server;

const PLACE = "/account/deleted";
const deleted = () => ({ deleted_at: formatInstant(clock.wall()) });

/** The text of each row of the list. */
const rowsOf = ({ html }: Seen): readonly string[] =>
  html
    .split("<tr>")
    .slice(2)
    .map((row) =>
      (row.split("</tr>")[0] ?? "")
        .replaceAll(/<[^>]*>/g, " ")
        .replaceAll(/\s+/g, " ")
        .trim(),
    );

/** Records, as a device pushes a great many of them at once. */
const many = (count: number, payload: object, fields: object = {}) =>
  Array.from({ length: count }, (_, at) =>
    change("sync_tasks", `m${at}`, payload, { updated_at: formatInstant(clock.wall()), ...fields }),
  );

test("what devices deleted or trashed is listed with its contents, newest first", async () => {
  const { person: ann, laptop, phone } = await someoneWithAPast(server);
  expect((await ann.get(PLACE)).text).toContain("There is nothing to restore.");
  await laptop.push("t", { title: "Trip", pages: ["https://a.example/"], notes: ["a", "b"] });
  await laptop.push("f", { name: "Travel" }, {}, "sync_projects");
  await laptop.push("b", { name: "Someday" }, {}, "sync_buckets");
  await laptop.push("u", { title: "Old plan" });
  await laptop.push("stays", { title: "Stays" });
  clock.advance(HOUR);
  await phone.push("t", {}, deleted());
  clock.advance(HOUR);
  await laptop.push("f", { name: "Travel" }, deleted(), "sync_projects");
  await laptop.push("b", {}, deleted(), "sync_buckets");
  clock.advance(HOUR);
  await phone.push("u", { title: "Old plan", bucket_id: "trash" });
  const seen = await ann.get(PLACE);
  expect([seen.status, rowsOf(seen)]).toEqual([
    200,
    [
      "Old plan task in the trash 4 March 2026, 15:00 UTC phone 0 tabs, 0 notes Restore",
      "Someday bucket deleted 4 March 2026, 14:00 UTC laptop – Restore",
      "Travel folder deleted 4 March 2026, 14:00 UTC laptop – Restore",
      "Trip task deleted 4 March 2026, 13:00 UTC phone 1 tab, 2 notes Restore",
    ],
  ]);
  expect(linkTo(seen, "Trip")).toBe("/account/tasks/t/history");
  expect(linkTo(await ann.get("/account"), "View deleted items")).toBe(PLACE);
});

test.each([
  ["task", "t", "sync_tasks", { title: "Trip", pages: ["https://a.example/"] }, "Trip"],
  ["folder", "f", "sync_projects", { name: "Travel" }, "Travel"],
  ["bucket", "b", "sync_buckets", { name: "Someday" }, null],
])(
  "a deleted %s is restored with its button, and devices get it",
  async (kind, id, table, payload, title) => {
    const { person: ann, laptop, phone } = await someoneWithAPast(server);
    await laptop.push(id, payload, {}, table);
    clock.advance(HOUR);
    await phone.push(id, {}, deleted(), table);
    clock.advance(HOUR);
    const done = await ann.post(`${PLACE}/restore`, { kind, id });
    expect([done.status, done.location]).toEqual([303, `${PLACE}?restored=${kind}%3A${id}`]);
    const { json } = await server.call("GET", "/sync", { token: laptop.token });
    expect(json.changes[table]).toMatchObject([{ id, deleted_at: null, payload }]);
    const seen = await ann.get(done.location ?? "");
    expect(seen.text).toContain(
      title === null ? "Restored. Your devices get it" : `The ${kind} ${title} is restored.`,
    );
    expect(seen.text).toContain("There is nothing to restore.");
  },
);

test("a trashed task returns to the bucket that it came from", async () => {
  const { person: ann, laptop } = await someoneWithAPast(server);
  await laptop.push("b", { name: "Someday" }, {}, "sync_buckets");
  await laptop.push("t", { title: "Trip", bucket_id: "b" });
  clock.advance(HOUR);
  await laptop.push("t", { title: "Trip", bucket_id: "trash" });
  await ann.post(`${PLACE}/restore`, { kind: "task", id: "t" });
  expect((await laptop.pull("t"))?.payload).toEqual({ title: "Trip", bucket_id: "b" });
  expect(rowsOf(await ann.get(PLACE))).toEqual([]);
});

test("a record whose contents are no longer kept says so, has no button, and cannot be restored", async () => {
  const { person: ann, phone } = await someoneWithAPast(server);
  await phone.push("t", {}, deleted());
  const seen = await ann.get(PLACE);
  expect(rowsOf(seen)).toEqual([
    "Untitled task deleted 4 March 2026, 12:00 UTC phone – Its contents are no longer kept.",
  ]);
  expect(seen.html).not.toContain(`action="${PLACE}/restore"`);
  const refused = await ann.post(`${PLACE}/restore`, { kind: "task", id: "t" });
  expect([refused.status, refused.text]).toEqual([
    422,
    expect.stringContaining(
      "This cannot be restored. Its content from before the deletion is no longer kept.",
    ),
  ]);
});

test("a record that never existed, or of an unknown kind, is refused", async () => {
  const { person: ann } = await someoneWithAPast(server);
  for (const [form, says] of [
    [{ kind: "task", id: "none" }, "Task not found"],
    [{ kind: "folder", id: "none" }, "Record not found"],
    [{ kind: "key", id: "t" }, "Record not found"],
    [{ kind: "__proto__", id: "t" }, "Record not found"],
    [{ kind: "task", id: "a\u0000b" }, "Record not found"],
    [{ kind: "task" }, "Record not found"],
    [{}, "Record not found"],
  ] as const) {
    const refused = await ann.post(`${PLACE}/restore`, form);
    expect([refused.status, refused.text]).toEqual([404, expect.stringContaining(says)]);
  }
});

test("a push that deleted more than 100 records is announced, and one click restores all of them", async () => {
  const { person: ann, laptop, phone } = await someoneWithAPast(server);
  await laptop.pushAll(many(150, { title: "Mine", notes: ["n"] }));
  clock.advance(HOUR);
  await phone.pushAll(many(150, {}, deleted()));
  const says = "On 4 March 2026, 13:00 UTC , phone deleted 150 tasks and folders at once.";
  for (const path of [PLACE, "/account"]) expect((await ann.get(path)).text).toContain(says);
  clock.advance(HOUR);
  // One of them was restored, and then deleted again on purpose.
  await ann.post(`${PLACE}/restore`, { kind: "task", id: "m7" });
  clock.advance(MINUTE);
  await laptop.push("m7", {}, deleted());
  const [deletion] = await listDeletions(store, ann.account.id, clock.wall());
  const action = `${PLACE}/${deletion?.id}/restore`;
  expect((await ann.get("/account")).html).toContain(`method="post" action="${action}"`);
  const done = await ann.post(action);
  expect([done.status, done.location]).toEqual([303, `${PLACE}?restored=all`]);
  const seen = await ann.get(done.location ?? "");
  expect(seen.text).toContain(
    "Everything that was deleted at once is restored, except what has since been restored",
  );
  expect(rowsOf(seen)).toEqual([expect.stringContaining("Mine task deleted")]);
  for (const path of [PLACE, "/account"])
    expect((await ann.get(path)).text).not.toContain("at once");
  const { json } = await server.call("GET", "/sync", { token: laptop.token });
  const rows = json.changes.sync_tasks as { deleted_at: string | null; payload: object }[];
  expect(rows.filter((row) => row.deleted_at === null)).toHaveLength(149);
  expect(rows.find((row) => row.deleted_at === null)?.payload).toEqual({
    title: "Mine",
    notes: ["n"],
  });
});

test("up to 100 at once are not announced, and after a week the overview is silent", async () => {
  const { person: ann, laptop } = await someoneWithAPast(server);
  await laptop.pushAll(many(101, { title: "Mine" }));
  clock.advance(MINUTE);
  await laptop.pushAll(many(100, {}, deleted()));
  expect((await ann.get(PLACE)).text).not.toContain("at once");
  await laptop.pushAll(
    many(101, { title: "Mine" }, { updated_at: formatInstant(clock.wall() + 1) }),
  );
  clock.advance(MINUTE);
  await laptop.pushAll(many(101, {}, deleted()));
  clock.advance(7 * DAY);
  expect((await ann.get("/account")).text).toContain("laptop deleted 101 tasks");
  clock.advance(MINUTE);
  expect((await ann.get("/account")).text).not.toContain("laptop deleted");
  expect((await ann.get(PLACE)).text).toContain("laptop deleted 101 tasks");
});

test("long lists have several pages, with each record on one of them", async () => {
  const { person: ann, laptop } = await someoneWithAPast(server);
  await laptop.pushAll(many(120, { title: "Mine" }));
  clock.advance(MINUTE);
  const half = many(120, {}, deleted());
  await laptop.pushAll(half.slice(0, 60));
  clock.advance(MINUTE);
  await laptop.pushAll(half.slice(60).map((one) => ({ ...one, ...deleted() })));
  const ids = new Set<string>();
  let path = PLACE;
  for (const size of [50, 50, 20]) {
    const seen = await ann.get(path);
    const links = [...seen.html.matchAll(/\/account\/tasks\/(m\d+)\/history/g)];
    expect([seen.status, links.length]).toEqual([200, size]);
    for (const [, id = ""] of links) ids.add(id);
    path = linkTo(seen, "Older");
  }
  expect([path, ids.size]).toEqual(["", 120]);
  for (const cursor of [
    "x",
    btoa("[1]"),
    btoa('[1,"account","t"]'),
    btoa('["1","sync_tasks",1]'),
  ]) {
    const wrong = await ann.get(`${PLACE}?cursor=${cursor}`);
    expect([wrong.status, rowsOf(wrong).length]).toEqual([422, 50]);
    expect(wrong.text).toContain(
      "This address does not lead to a page of the list. Showing the newest items.",
    );
  }
});

test("what was deleted more than 90 days ago is no longer listed, but what is in the trash is", async () => {
  const { person: ann, laptop } = await someoneWithAPast(server);
  await laptop.push("t", { title: "Trip" });
  await laptop.push("u", { title: "Old plan", bucket_id: "trash" });
  clock.advance(HOUR);
  await laptop.push("t", {}, deleted());
  expect(rowsOf(await ann.get(PLACE))).toHaveLength(2);
  clock.advance(91 * DAY);
  await ann.post("/sign-in", { email: ann.account.email, password: PASSWORD });
  expect(rowsOf(await ann.get(PLACE))).toEqual([
    "Old plan task in the trash 4 March 2026, 12:00 UTC laptop 0 tabs, 0 notes Restore",
  ]);
});

test("nobody sees or restores what another account deleted", async () => {
  const { person: ann, laptop } = await someoneWithAPast(server);
  await laptop.pushAll(many(150, { title: "Secret plan" }));
  clock.advance(MINUTE);
  await laptop.pushAll(many(150, {}, deleted()));
  const [deletion] = await listDeletions(store, ann.account.id, clock.wall());
  const bob = await someoneSignedIn(server, "bob");
  const seen = await bob.get(`${PLACE}?restored=task:m1`);
  expect([seen.status, rowsOf(seen)]).toEqual([200, []]);
  expect(seen.text).not.toContain("Secret");
  for (const [path, says] of [
    [`${PLACE}/${deletion?.id}/restore`, "This deletion can no longer be restored."],
    [`${PLACE}/0/restore`, "This deletion can no longer be restored."],
    [`${PLACE}/x/restore`, "This deletion can no longer be restored."],
  ] as const) {
    const refused = await bob.post(path);
    expect([refused.status, refused.text]).toEqual([404, expect.stringContaining(says)]);
  }
  const refused = await bob.post(`${PLACE}/restore`, { kind: "task", id: "m1" });
  expect(refused.status).toBe(404);
  expect((await laptop.pull("m1"))?.deleted_at).not.toBeNull();
});

test("titles and device names that others chose are shown as text, and long ones are cut", async () => {
  const { person: ann, laptop } = await someoneWithAPast(server);
  const evil = `"><script>alert(1)</script>\u202E${"x".repeat(100_000)}`;
  await laptop.push('"><script>', { title: evil });
  clock.advance(MINUTE);
  await laptop.push('"><script>', { title: evil }, deleted());
  const { html, status, text } = await ann.get(PLACE);
  expect([status, html.match(/<script/g)?.length, html.length < 10_000]).toEqual([200, 1, true]);
  expect(html).not.toContain("\u202E");
  expect(text).toContain('"><script>alert(1)</script>\uFFFDxxx');
  await ann.post(`${PLACE}/restore`, { kind: "task", id: '"><script>' });
  expect(await laptop.pull('"><script>')).toMatchObject({
    deleted_at: null,
    payload: { title: evil },
  });
  const told = await ann.get(
    `${PLACE}?restored=${encodeURIComponent("<script>alert(2)</script>")}`,
  );
  expect([told.html.match(/<script/g)?.length, told.text.includes("alert(2)")]).toEqual([1, false]);
});

test("the overview says how much space the history uses, and how much it may use", async () => {
  const { person: ann, laptop } = await someoneWithAPast(server);
  expect((await ann.get("/account")).text).toContain(
    "They use 0 bytes of 1.0 GiB. When that space is full, Docket removes the oldest versions first.",
  );
  await laptop.push("t", { title: "Trip", notes: ["x".repeat(3_000)] });
  clock.advance(MINUTE);
  await laptop.push("t", { title: "Trip", notes: [] });
  expect((await ann.get("/account")).text).toMatch(/They use 3\.\d KiB of 1\.0 GiB/);
});
