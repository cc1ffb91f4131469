import { expect, test } from "bun:test";
import { revokeKey } from "../../src/db/people/api-keys.ts";
import { formatInstant, HOUR, MINUTE } from "../../src/domain/base/instant.ts";
import { sharedServer } from "../support/replies.ts";
import { cardsOf, hiddenIn, linkTo, someoneWithAPast } from "../support/web/past.ts";
import { PASSWORD, type Seen, someoneSignedIn } from "../support/web/visitor.ts";

const server = await sharedServer();
const { clock, store } = server;

const NO_KEY = "API key not found. It may have been deleted.";

/** Someone whose key has changed and added things since noon, and whose phone later changed one of them. */
const someoneToUndo = async (name = "ann") => {
  const past = await someoneWithAPast(server, name);
  const { person, laptop, phone, helper, helps } = past;
  await laptop.push("f", { name: "Travel" }, {}, "sync_projects");
  await laptop.push("g", { name: "Work" }, {}, "sync_projects");
  await laptop.push("t", { title: "Trip", status: "todo", project_id: "f", notes: ["mine"] });
  clock.advance(HOUR);
  await helps("PATCH", "/tasks/t", { title: "Wrong", status: "done", folder: "g" });
  await helps("POST", "/tasks/t/tabs", [{ url: "https://spam.example/" }]);
  const made = await helps("POST", "/tasks", { title: "Of an agent" });
  clock.advance(HOUR);
  const stands = await phone.pull("t");
  await phone.push("t", { ...stands?.payload, title: "Journey" });
  const path = `/account/keys/${helper.key.id}/undo`;
  const undo = (seen: Seen, more = {}) =>
    person.post(path, { ...hiddenIn(seen, path), password: PASSWORD, ...more });
  return { ...past, made: made.json.id as string, path, undo };
};

test("the page first asks since when, and says which key it is about", async () => {
  const { person: ann, helper, path } = await someoneToUndo();
  const { status, html, text } = await ann.get(path);
  expect(status).toBe(200);
  expect(text).toContain(
    `You can undo the changes made with the key “ helper ” ( ${helper.key.hint} ).`,
  );
  expect(html).toContain('<option value="24h" selected');
  expect([...html.matchAll(/<option value="(\w+)"/g)].map(([, value]) => value)).toEqual([
    "1h",
    "today",
    "24h",
    "7d",
    "90d",
  ]);
  expect(text).toContain("In UTC. It is now 4 March 2026, 14:00 UTC");
  expect(html).not.toContain('name="up_to"');
});

test("what would be undone is listed first, and what would not, with who changed it since", async () => {
  const { person: ann, made, path, laptop } = await someoneToUndo();
  const before = [await laptop.pull("t"), await laptop.pull(made)];
  const seen = await ann.get(`${path}?since=24h`);
  expect([seen.status, cardsOf(seen).toSorted()]).toEqual([
    200,
    [
      "Task Journey Tab https://spam.example/ is removed 4 March 2026, 13:00 UTC " +
        "Title Wrong stays phone later changed it 4 March 2026, 13:00 UTC " +
        "Status from done back to todo 4 March 2026, 13:00 UTC " +
        "Folder from Work back to Travel 4 March 2026, 13:00 UTC",
      "Task Of an agent Created by the key. Undoing deletes the task 4 March 2026, 13:00 UTC",
    ],
  ]);
  expect(seen.text).toContain("Since 3 March 2026, 14:00 UTC Can be undone: 4 changes");
  expect(seen.text).toContain(
    "Cannot be undone, because someone has changed the same thing since: 1 change",
  );
  expect(seen.text).toContain("Undo these 4 changes");
  expect([await laptop.pull("t"), await laptop.pull(made)]).toEqual(before);
});

test("one button undoes it, as edits that devices get, and the page says what was done and what is left", async () => {
  const { person: ann, made, path, phone, undo } = await someoneToUndo();
  const done = await undo(await ann.get(`${path}?since=24h`));
  const since = encodeURIComponent("2026-03-03T14:00:00.000Z");
  expect([done.status, done.location]).toEqual([
    303,
    `${path}?since=${since}&undone=${clock.wall()}`,
  ]);
  expect((await phone.pull("t"))?.payload).toMatchObject({
    title: "Journey",
    status: "todo",
    project_id: "f",
    pages: [],
    notes: ["mine"],
  });
  expect((await phone.pull(made))?.deleted_at).toBe(formatInstant(clock.wall()));
  const seen = await ann.get(done.location ?? "");
  expect(seen.text).toContain("Undone. 2 tasks and folders were changed back.");
  expect(seen.text).toContain("Can be undone: 0 changes");
  expect(seen.text).not.toContain("Undo these");
  expect(cardsOf(seen).join()).toContain("Title Wrong stays phone later changed it");
  expect(cardsOf(await ann.get("/account/tasks/t/history"))[0]).toStartWith(
    "Undone by you 4 March 2026, 14:00 UTC Status from Done to To do Folder from Work to Travel",
  );
  // What undoing deleted can be restored like anything else.
  const gone = await ann.get(`/account/tasks/${made}`);
  expect([gone.status, gone.text]).toEqual([
    404,
    expect.stringContaining("This task was deleted on 4 March 2026, 14:00 UTC when you undid"),
  ]);
  expect((await ann.get("/account/deleted")).text).toContain("Of an agent task deleted");
});

test("only what the person has seen is undone, not what the key does in the meantime", async () => {
  const { person: ann, path, phone, helps, undo } = await someoneToUndo();
  const seen = await ann.get(`${path}?since=24h`);
  await helps("POST", "/tasks/t/notes", { text: "meanwhile" });
  await undo(seen);
  const { payload } = (await phone.pull("t")) ?? {};
  expect(payload).toMatchObject({ status: "todo", notes: ["mine", { text: "meanwhile" }] });
  expect(cardsOf(await ann.get(`${path}?since=24h`)).join()).toContain("Note meanwhile is removed");
});

test("changes from before that time stay", async () => {
  const { person: ann, path, phone, helps, undo } = await someoneToUndo();
  clock.advance(HOUR);
  await helps("PATCH", "/tasks/t", { colour: "red" });
  clock.advance(MINUTE);
  const seen = await ann.get(`${path}?since=1h`);
  expect(cardsOf(seen)).toEqual([
    "Task Journey Colour from red back to nothing 4 March 2026, 15:00 UTC",
  ]);
  expect(seen.text).toContain("Can be undone: 1 change ");
  expect(seen.text).toContain("Undo this change");
  await undo(seen);
  expect((await phone.pull("t"))?.payload).toMatchObject({ status: "done", colour: null });
});

test("nothing is undone without the right password", async () => {
  const { person: ann, path, phone, undo } = await someoneToUndo();
  const seen = await ann.get(`${path}?since=24h`);
  expect(seen.html).toContain('name="password"');
  const before = await phone.pull("t");
  for (const [password, says] of [
    ["", "Enter your password to continue."],
    ["wrong", "Wrong password."],
  ] as const) {
    const refused = await undo(seen, { password });
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining(says)]);
    expect(cardsOf(refused)).toEqual(cardsOf(seen));
    expect(hiddenIn(refused, path)).toEqual(hiddenIn(seen, path));
  }
  expect(await phone.pull("t")).toEqual(before);
});

test("an incomplete form is refused, and a malformed time is reported", async () => {
  const { person: ann, path, phone, undo } = await someoneToUndo();
  const seen = await ann.get(`${path}?since=24h`);
  const before = await phone.pull("t");
  for (const more of [{ since: "" }, { since: "24h" }, { up_to: "" }, { up_to: "-1" }]) {
    const refused = await undo(seen, more);
    expect([refused.status, refused.text]).toEqual([
      422,
      expect.stringContaining(
        "The form does not say what to undo. Start again from your API keys.",
      ),
    ]);
  }
  const wrong = await ann.get(`${path}?since=1h&at=yesterday`);
  expect([wrong.status, wrong.text]).toEqual([
    422,
    expect.stringContaining("Enter a date and time, such as 2026-01-31T09:30."),
  ]);
  expect(await phone.pull("t")).toEqual(before);
});

test("an address cannot claim that something was undone", async () => {
  const { person: ann, path } = await someoneToUndo();
  const seen = await ann.get(`${path}?since=24h&undone=${clock.wall()}`);
  expect(seen.text).toContain("There was nothing left to undo.");
  expect((await ann.get(`${path}?since=24h&undone=x`)).text).not.toContain("nothing left to undo");
});

test("the page advises revoking an active key first, and every page that shows the key links here", async () => {
  const { person: ann, helper, path } = await someoneToUndo();
  const advice = "This key still works and can make more changes. Revoke it first.";
  const live = await ann.get(path);
  expect(live.text).toContain(advice);
  expect(live.html).toContain(`action="/account/keys/${helper.key.id}/revoke"`);
  const activity = await ann.get(`/account/activity?key=${helper.key.id}`);
  expect(linkTo(activity, "Undo this key’s changes")).toBe(path);
  expect(linkTo(await ann.get("/account/activity"), "Undo this key’s changes")).toBe("");
  const revoke = await ann.post(`/account/keys/${helper.key.id}/revoke`, { password: PASSWORD });
  expect((await ann.get(revoke.location ?? "")).html).toContain(
    `no longer works. <a href="${path}">Undo changes</a>`,
  );
  expect(linkTo(await ann.get("/account/keys"), "Undo changes")).toBe(path);
  expect((await ann.get(path)).text).not.toContain(advice);
});

test("changes by a revoked key can be undone", async () => {
  const { person: ann, helper, path, phone, undo } = await someoneToUndo();
  await revokeKey(store, ann.account.id, helper.key.id, clock.wall());
  expect((await undo(await ann.get(`${path}?since=today`))).status).toBe(303);
  expect((await phone.pull("t"))?.payload["status"]).toBe("todo");
});

test("nobody sees or undoes what a key of another account did", async () => {
  const { path, phone, undo, person: ann } = await someoneToUndo();
  const seen = await ann.get(`${path}?since=24h`);
  const bob = await someoneSignedIn(server, "bob");
  const before = await phone.pull("t");
  for (const refused of [
    await bob.get(`${path}?since=24h`),
    await bob.post(path, { ...hiddenIn(seen, path), password: PASSWORD }),
    await bob.get("/account/keys/none/undo"),
  ])
    expect([refused.status, refused.text]).toEqual([404, expect.stringContaining(NO_KEY)]);
  // Nothing was undone, and ann can still undo it.
  expect(await phone.pull("t")).toEqual(before);
  await undo(seen);
  expect((await phone.pull("t"))?.payload["status"]).toBe("todo");
});

test("a folder that a key created stays if others have put tasks into it, and the page says so", async () => {
  const { person: ann, laptop, helps, helper } = await someoneWithAPast(server);
  const { json } = await helps("POST", "/projects", { name: "Of an agent" });
  await laptop.push("t", { title: "mine", project_id: json.id });
  const seen = await ann.get(`/account/keys/${helper.key.id}/undo?since=1h`);
  expect(cardsOf(seen)).toEqual([
    "Folder Of an agent Created by the key stays others have put tasks into it 4 March 2026, 12:00 UTC",
  ]);
});

test("of a great many changes, 500 are listed, and all are counted and undone", async () => {
  const { person: ann, laptop, phone, helper, helps } = await someoneWithAPast(server);
  await laptop.push("t", { title: "Trip" });
  for (let call = 0; call < 6; call += 1) {
    const tabs = Array.from({ length: 100 }, (_, at) => ({
      url: `https://a.example/${call}/${at}`,
    }));
    expect((await helps("POST", "/tasks/t/tabs", tabs)).status).toBe(201);
  }
  const path = `/account/keys/${helper.key.id}/undo`;
  const seen = await ann.get(`${path}?since=1h`);
  expect(seen.text).toContain("Can be undone: 600 changes");
  expect(cardsOf(seen)[0]?.split("is removed")).toHaveLength(501);
  expect(seen.text).toContain("Counted above but not listed: 100 more changes.");
  await ann.post(path, { ...hiddenIn(seen, path), password: PASSWORD });
  expect((await phone.pull("t"))?.payload["pages"]).toEqual([]);
});

test("what a key put into tasks is shown as text on this page too", async () => {
  const { person: ann, laptop, helps, helper } = await someoneWithAPast(server);
  await laptop.push("t", { title: "<script>alert(1)</script>" });
  const evil = `<img src=x onerror=alert(2)>\u202E`;
  expect((await helps("PATCH", "/tasks/t", { title: evil })).status).toBe(200);
  await helps("POST", "/tasks/t/notes", { text: `${evil}${"x".repeat(19_000)}` });
  const { html, text, status } = await ann.get(
    `/account/keys/${helper.key.id}/undo?since=1h&at=${encodeURIComponent('"><script>')}`,
  );
  expect([status, html.match(/<script/g)?.length]).toEqual([422, 1]);
  const seen = await ann.get(`/account/keys/${helper.key.id}/undo?since=1h`);
  expect([seen.html.match(/<script/g)?.length, seen.html.includes("<img")]).toEqual([1, false]);
  expect(seen.html).not.toContain("\u202E");
  expect(cardsOf(seen).join()).toContain("back to <script>alert(1)</script>");
  expect(seen.html.length).toBeLessThan(15_000);
  expect(text).toContain("Enter a date and time, such as 2026-01-31T09:30.");
});

test("a note that a key corrected gets its text back, unless somebody has changed it since", async () => {
  const { person: ann, laptop, phone, helps, helper } = await someoneWithAPast(server);
  await laptop.push("t", { title: "Trip" });
  const [one, two] = [
    await helps("POST", "/tasks/t/notes", { text: "At 9:40" }),
    await helps("POST", "/tasks/t/notes", { text: "Berth 12" }),
  ];
  clock.advance(2 * HOUR);
  await helps("PATCH", `/tasks/t/notes/${one.json.id}`, { text: "At 9:14" });
  await helps("PATCH", `/tasks/t/notes/${one.json.id}`, { text: "At 9:15" });
  await helps("PATCH", `/tasks/t/notes/${two.json.id}`, { text: "Berth 13" });
  clock.advance(1_000);
  const stands = await phone.pull("t");
  const [first, second] = (stands?.payload["notes"] ?? []) as { text: string }[];
  const notes = [first, { ...second, text: "Berth 14" }];
  await phone.push("t", { ...stands?.payload, notes });
  const path = `/account/keys/${helper.key.id}/undo`;
  const seen = await ann.get(`${path}?since=1h`);
  expect(cardsOf(seen)[0]).toContain("Note Berth 13 stays phone later changed it");
  expect(cardsOf(seen)[0]).toContain("Note from At 9:14 back to At 9:40");
  await ann.post(path, { ...hiddenIn(seen, path), password: PASSWORD });
  expect((await phone.pull("t"))?.payload["notes"]).toMatchObject([
    { text: "At 9:40" },
    { text: "Berth 14" },
  ]);
  const { json } = await server.call("GET", "/tasks/t", { token: laptop.token });
  expect(json.notes[0]).toMatchObject({ id: one.json.id, created_by: "agent" });
});

const page = (id: string) => ({ id, url: `https://${id}.example/` });

/** The laptop's tasks `a`, of three tabs, and `b`, of none; the key has moved the middle one and the first from `a` to `b`. */
const someoneWithMoved = async () => {
  const past = await someoneWithAPast(server);
  const { person, helper, helps, laptop } = past;
  const pages = ["x", "y", "z"].map(page);
  await laptop.push("a", { title: "a", pages });
  await laptop.push("b", { title: "b", pages: [] });
  clock.advance(HOUR);
  await helps("POST", "/tasks/b/tabs/move", { from: "a", tabs: ["y", "x"] });
  clock.advance(HOUR);
  const path = `/account/keys/${helper.key.id}/undo`;
  const undo = async () => {
    const seen = await person.get(`${path}?since=24h`);
    await person.post(path, { ...hiddenIn(seen, path), password: PASSWORD });
    return seen.text;
  };
  const tabsOf = async (id: string) => {
    const { json } = await server.call("GET", `/tasks/${id}`, { token: laptop.token });
    return json.tabs?.map((tab: { id: string }) => tab.id) as unknown;
  };
  return { ...past, undo, tabsOf };
};

test("tabs that a key moved go back to their places, and none is there twice", async () => {
  const { undo, tabsOf } = await someoneWithMoved();
  expect(await tabsOf("b")).toEqual(["y", "x"]);
  const told = await undo();
  expect(told).toContain("Can be undone: 2 changes");
  expect(told).toContain("Tab https://x.example/ is moved back");
  expect([await tabsOf("a"), await tabsOf("b")]).toEqual([["x", "y", "z"], []]);
  expect(await undo()).toContain("no changes since then that are left to undo");
});

test("a moved tab that somebody moved on or deleted stays as it is, and the others go back", async () => {
  const { laptop, undo, tabsOf } = await someoneWithMoved();
  const base = { base_updated_at: (await laptop.pull("b"))?.updated_at };
  await laptop.push("b", { title: "b", pages: [page("y")] }, base);
  clock.advance(HOUR);
  expect(await undo()).toContain("Cannot be undone");
  expect([await tabsOf("a"), await tabsOf("b")]).toEqual([["y", "z"], []]);
});

test("a moved tab goes back with the title that somebody gave it meanwhile", async () => {
  const { laptop, undo } = await someoneWithMoved();
  const base = { base_updated_at: (await laptop.pull("b"))?.updated_at };
  const renamed = { ...page("y"), title: "Why" };
  await laptop.push("b", { title: "b", pages: [renamed, page("x")] }, base);
  clock.advance(HOUR);
  await undo();
  const pages = [page("x"), renamed, page("z")];
  expect((await laptop.pull("a"))?.payload["pages"]).toEqual(pages);
});

test("a task with tabs that are none can be undone too", async () => {
  const { person: ann, helper, helps, laptop } = await someoneWithAPast(server);
  await laptop.push("odd", { title: "odd", pages: [null, 7, page("x"), "https://y.example/"] });
  await laptop.push("b", { title: "b", pages: [] });
  clock.advance(HOUR);
  await helps("POST", "/tasks/b/tabs/move", { from: "odd", tabs: ["x", "https://y.example/"] });
  clock.advance(HOUR);
  const path = `/account/keys/${helper.key.id}/undo`;
  const seen = await ann.get(`${path}?since=24h`);
  expect([seen.status, seen.text.includes("Can be undone: 2 changes")]).toEqual([200, true]);
  await ann.post(path, { ...hiddenIn(seen, path), password: PASSWORD });
  const odd = (await laptop.pull("odd"))?.payload["pages"];
  expect(odd).toEqual([null, 7, page("x"), "https://y.example/"]);
});

test("if the task that they left is deleted, moved tabs stay where they are", async () => {
  const { laptop, undo, tabsOf } = await someoneWithMoved();
  await laptop.push("a", {}, { deleted_at: formatInstant(clock.wall()) });
  clock.advance(HOUR);
  await undo();
  expect(await tabsOf("b")).toEqual(["y", "x"]);
});

test("what a key filed and moved is the key's again after an undo of the move alone", async () => {
  const { person: ann, helper, helps, laptop, make } = await someoneWithAPast(server);
  await laptop.push("b", { title: "b", pages: [] });
  const filed = await helps("POST", "/inbox/tabs", [{ url: "https://filed.example/" }]);
  const [tab] = filed.json.tabs;
  clock.advance(HOUR);
  const other = await make("other");
  const body = { from: "inbox", tabs: [tab.id] };
  await server.call("POST", "/tasks/b/tabs/move", { token: other.secret, body });
  clock.advance(HOUR);
  const path = `/account/keys/${other.key.id}/undo`;
  const seen = await ann.get(`${path}?since=24h`);
  await ann.post(path, { ...hiddenIn(seen, path), password: PASSWORD });
  const { json } = await server.call("GET", "/inbox", { token: helper.secret });
  expect(json.tabs).toEqual([tab]);
});
