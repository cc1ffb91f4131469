import { expect, test } from "bun:test";
import { formatInstant } from "../../src/domain/base/instant.ts";
import { change, expectRefusal, newcomer, sharedServer } from "../support/replies.ts";
import { meeting } from "../support/http/meeting.ts";

const server = await sharedServer({ limits: { perMinute: 10_000, perHour: 10_000 } });

const DONE = { applied: 1, rejected: [], merged: [], invalid: [] };
const A = "https://a.example/";

/** How a reply lists a task that is not stored as it was pushed. */
const LISTED = { table: "sync_tasks", id: "t" };

test("A tab that the bot filed meanwhile is put back, and the phone gets the current task", async () => {
  const { phone, files, row, urls } = await meeting(server);
  const tab = await files("a");
  const sent = Date.parse((await row()).updated_at) + 500;
  const answer = await phone.push({ title: "bread" }, { updated: sent });
  const server_row = { ...(await row()), created_by: "person" };
  const rejected = { ...LISTED, updated_at: formatInstant(sent), reason: "merged", server_row };
  expect([answer.status, answer.json]).toEqual([
    200,
    { ...DONE, rejected: [rejected], merged: [{ ...LISTED, server_row }] },
  ]);
  // Later than the pushed stamp, so that every device accepts it.
  expect(Date.parse(server_row.updated_at)).toBeGreaterThan(sent);
  expect(server_row.payload).toEqual({ title: "bread", pages: [tab] });
  expect(await urls()).toEqual([A]);
});

test("A tab that the phone pulled, acknowledged and removed is gone", async () => {
  const { phone, files, urls } = await meeting(server);
  await files("a");
  const { server_time } = await phone.pull();
  const thrown = await phone.push({ title: "milk", pages: [] }, { since: server_time });
  expect(thrown.json).toEqual(DONE);
  expect(await urls()).toEqual([]);
});

test("A push without a since uses the since of the last pull", async () => {
  const { phone, files, urls } = await meeting(server);
  await files("a");
  const { server_time } = await phone.pull();
  // Nobody knows whether the last pull arrived.
  expect((await phone.push({ title: "milk", pages: [] })).json.merged).toMatchObject([LISTED]);
  expect(await urls()).toEqual([A]);
  await phone.pull(server_time);
  expect((await phone.push({ title: "milk", pages: [] })).json).toEqual(DONE);
  expect(await urls()).toEqual([]);
});

test.each<[string, (time: string) => string | undefined]>([
  ["does not say what it has seen", () => undefined],
  ["names a time that it was never given", (time) => formatInstant(Date.parse(time) + 1)],
])("A phone that %s cannot remove anything of the bot's", async (_name, since) => {
  const { phone, files, urls } = await meeting(server);
  await files("a");
  const { server_time } = await phone.pull();
  const named = since(server_time);
  const options = named === undefined ? {} : { since: named };
  expect((await phone.push({ title: "milk", pages: [] }, options)).json.merged).toHaveLength(1);
  expect(await urls()).toEqual([A]);
});

test("A since that is not a time is refused, and nothing is applied", async () => {
  const { phone, row } = await meeting(server);
  const before = await row();
  expectRefusal(
    await phone.push({ title: "bread" }, { since: "yesterday" }),
    422,
    "Query parameter since must be an RFC 3339 time, such as 2026-01-31T09:30:00.000Z.",
  );
  expect(await row()).toEqual(before);
});

test.each<[string, (first: string) => string | undefined]>([
  ["a lower since", (first) => first],
  ["no since", () => undefined],
])("%s in a pull withdraws the acknowledgement at once", async (_name, since) => {
  const { phone, files, urls } = await meeting(server);
  const { server_time: first } = await phone.pull();
  await files("a");
  const { server_time: second } = await phone.pull(first);
  await phone.pull(second);
  await phone.pull(since(first));
  expect((await phone.push({ title: "milk", pages: [] })).json.merged).toHaveLength(1);
  expect(await urls()).toEqual([A]);
});

test("An edit made before the tab was delivered cannot remove it", async () => {
  const { phone, files, now, urls } = await meeting(server);
  await files("a");
  const edited = now();
  const { server_time } = await phone.pull();
  const late = { since: server_time, updated: edited };
  expect((await phone.push({ title: "bread", pages: [] }, late)).json.merged).toHaveLength(1);
  expect(await urls()).toEqual([A]);
});

test("A page proves nothing: a record that changed again comes on a later page, which may be lost", async () => {
  const { phone, files, makes, sets, urls } = await meeting(server);
  await files("a");
  await makes("another");
  await sets({ status: "done" });
  const page = await phone.pull(undefined, "&limit=1");
  expect([page.has_more, page.changes.sync_tasks]).toMatchObject([
    true,
    [{ payload: { title: "another" } }],
  ]);
  const options = { since: page.server_time };
  expect((await phone.push({ title: "bread" }, options)).json.merged).toMatchObject([LISTED]);
  expect(await urls()).toEqual([A]);
  const { server_time } = await phone.pull(page.server_time);
  expect((await phone.push({ title: "bread" }, { since: server_time })).json).toEqual(DONE);
  expect(await urls()).toEqual([]);
});

test("A field that an agent changed stays, if the phone left it as it was before", async () => {
  const { phone, sets, row } = await meeting(server, { title: "milk", status: "todo" });
  const { server_time } = await phone.pull();
  await sets({ title: "bread" });
  await sets({ title: "tea" });
  const options = { since: server_time };
  const answer = await phone.push({ title: "milk", status: "done" }, options);
  expect(answer.json.merged).toMatchObject([LISTED]);
  expect((await row()).payload).toEqual({ title: "tea", status: "done" });
  expect((await phone.push({ title: "mine", status: "done" }, options)).json).toEqual(DONE);
  expect((await row()).payload).toEqual({ title: "mine", status: "done" });
});

test("Where nothing is proved, a value that the task has had before counts as left alone", async () => {
  const { phone, sets, row } = await meeting(server, { title: "milk" });
  await sets({ title: "bread" });
  expect((await phone.push({ title: "milk" })).json.merged).toMatchObject([LISTED]);
  expect((await row()).payload).toEqual({ title: "bread" });
  expect((await phone.push({ title: "mine" })).json).toEqual(DONE);
  expect((await row()).payload).toEqual({ title: "mine" });
});

test("An edit that arrives after the agent's change is merged with it", async () => {
  const { phone, sets, files, now, row } = await meeting(server, { title: "milk", status: "todo" });
  const edited = now();
  await sets({ title: "bread", status: "done" });
  const tab = await files("a");
  const stood = Date.parse((await row()).updated_at);
  const payload = { title: "mine", status: "todo", notes: [{ text: "n" }] };
  const answer = await phone.push(payload, { updated: edited });
  const server_row = { ...(await row()), created_by: "person" };
  const rejected = { ...LISTED, updated_at: formatInstant(edited), reason: "merged", server_row };
  expect([answer.status, answer.json]).toEqual([
    200,
    { ...DONE, rejected: [rejected], merged: [{ ...LISTED, server_row }] },
  ]);
  expect(server_row.payload).toEqual({ ...payload, status: "done", pages: [tab] });
  expect(Date.parse(server_row.updated_at)).toBe(Math.max(stood + 1, server.clock.wall()));
});

test("An edit older than another device's is stale, whatever an agent did since", async () => {
  const { phone, laptop, sets, now, row } = await meeting(server);
  const edited = now();
  await laptop.push({ title: "laptop's" });
  await sets({ title: "bread" });
  const before = await row();
  const answer = await phone.push({ title: "phone's" }, { updated: edited });
  const updated_at = formatInstant(edited);
  const server_row = { ...before, created_by: "person" };
  expect(answer.json).toEqual({
    ...DONE,
    applied: 0,
    rejected: [{ ...LISTED, updated_at, reason: "stale", server_row }],
  });
  expect(await row()).toEqual(before);
});

test("Of two late edits the later one wins, in whichever order they arrive", async () => {
  for (const order of [[0, 1] as const, [1, 0] as const]) {
    const { phone, laptop, sets, now, row } = await meeting(server, { title: "milk" });
    const edits = [
      { device: phone, payload: { title: "phone's" }, updated: now() },
      // The bot happens to set the same title.
      { device: laptop, payload: { title: "bread" }, updated: now() },
    ];
    await sets({ title: "bread" });
    for (const at of order) {
      const edit = edits[at];
      await edit?.device.push(edit.payload, { updated: edit.updated });
    }
    expect((await row()).payload).toEqual({ title: "bread" });
  }
});

test("A deletion wins over a tab that it did not know of, and the tab comes back with the task", async () => {
  const { phone, laptop, files, row } = await meeting(server);
  const tab = await files("a");
  expect((await phone.push({}, { deleted: true })).json).toEqual(DONE);
  expect((await row()).payload).toEqual({});
  expect((await laptop.push({ title: "again" })).json.merged).toMatchObject([LISTED]);
  expect((await row()).payload).toEqual({ title: "again", pages: [tab] });
});

test("A device that saw only an empty deletion brings the tab back with the task", async () => {
  const { phone, laptop, files, row } = await meeting(server);
  const tab = await files("a");
  await phone.push({}, { deleted: true });
  const { updated_at: base } = await row();
  expect((await laptop.push({ title: "again" }, { base })).json.merged).toMatchObject([LISTED]);
  expect((await row()).payload).toEqual({ title: "again", pages: [tab] });
});

test("Of two edits of a task in one push, the second was made on the first", async () => {
  const { phone, sets, row, pushesTwo } = await meeting(server);
  const { updated_at: base } = await row();
  const { server_time } = await phone.pull();
  await phone.pull(server_time);
  await sets({ title: "bread" });
  // The person changed the title, and then back: that is what they want, whatever an agent wrote.
  await pushesTwo({ title: "cheese" }, { title: "milk" }, base);
  expect((await row()).payload).toEqual({ title: "milk" });
});

const note = (text: string) => ({ id: "n", text });

test("A note that a person set back to an older text stays so, where REST changed only the list around it", async () => {
  const { phone, notes, row } = await meeting(server, { title: "milk", notes: [note("first")] });
  await phone.push({ title: "milk", notes: [note("second")] });
  const { server_time: since } = await phone.pull();
  await phone.pull(since);
  await notes("the bot's");
  await phone.push({ title: "milk", notes: [note("first")] }, { since });
  expect((await row()).payload).toMatchObject({
    notes: [{ text: "first" }, { text: "the bot's" }],
  });
});

test("A title that was refused after the bot set another was never the task's: sent again, it is the person's will", async () => {
  const { phone, laptop, sets, row, now } = await meeting(server);
  const before = now();
  await laptop.push({ title: "bread" });
  await sets({ title: "the bot's" });
  const { json } = await phone.push({ title: "cheese" }, { updated: before });
  expect(json.rejected).toMatchObject([{ reason: "stale" }]);
  await phone.push({ title: "cheese" });
  expect((await row()).payload).toEqual({ title: "cheese" });
});

test("A task that a device deleted, emptied and un-deleted in one push keeps the title that the bot gave it", async () => {
  const { pushesTwo, sets, row } = await meeting(server);
  const { updated_at: base } = await row();
  await sets({ title: "the bot's" });
  await pushesTwo({}, { title: "milk", colour: "red" }, base, { isFirstDeleted: true });
  expect(await row()).toMatchObject({
    deleted_at: null,
    payload: { title: "the bot's", colour: "red" },
  });
});

test("A person's tab stays the person's, if a device sends the task that it left before the one where it now is", async () => {
  const { call, clock } = server;
  const { session: token } = await newcomer(server);
  const time = () => {
    clock.advance(1_000);
    return formatInstant(clock.wall());
  };
  const push = (id: string, content: Readonly<Record<string, unknown>>, base?: string) => {
    const named = base === undefined ? {} : { base_updated_at: base };
    const one = change("sync_tasks", id, content, { updated_at: time(), ...named });
    return call("POST", "/sync", { token, body: [one] });
  };
  await push("t", { title: "milk" });
  await push("u", { title: "bread" });
  const rows = async () => (await call("GET", "/sync", { token })).json.changes.sync_tasks;
  const base = (await rows())[1].updated_at as string;
  time();
  await call("POST", "/tasks/t/tabs", { token, body: [{ url: A }] });
  const [tab] = (await rows()).find(({ id }: { id: string }) => id === "t").payload.pages;
  await push("t", { title: "milk", pages: [] }, (await rows())[1].updated_at);
  await push("u", { title: "bread", pages: [tab] }, base);
  // Another device did not know of it.
  expect((await push("u", { title: "cheese" }, base)).json.merged).toHaveLength(1);
  const { payload } = (await rows()).find(({ id }: { id: string }) => id === "u");
  expect(payload).toEqual({ title: "cheese", pages: [tab] });
});
