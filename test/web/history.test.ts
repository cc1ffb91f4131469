import { expect, test } from "bun:test";
import { listHistory } from "../../src/db/history/history.ts";
import { DAY, formatInstant, HOUR, MINUTE } from "../../src/domain/base/instant.ts";
import { runImport } from "../../src/db/imports/run.ts";
import { readImport } from "../../src/import/read.ts";
import { ask } from "../support/db/store.ts";
import { sharedServer } from "../support/replies.ts";
import { cardsOf, hiddenIn, linkTo, someoneWithAPast } from "../support/web/past.ts";
import { someoneSignedIn } from "../support/web/visitor.ts";

const server = await sharedServer();
const { clock, store } = server;

const HISTORY = "/account/tasks/t/history";
const RESTORE = "/account/tasks/t/restore";
const NO_TASK = "Task not found. It may have been deleted.";
const NO_VERSION = "Version not found. It may have been deleted.";

/** The numbers of the versions of a task, newest first. */
const versionsOf = async (accountId: number, id = "t") => {
  const page = { after: null, limit: 100 };
  const { steps } = await listHistory(store, accountId, "sync_tasks", id, page);
  return steps.map(({ version }) => String(version.id));
};

test("what devices and keys did is listed in words, newest first, with what changed", async () => {
  const { person: ann, laptop, phone, helps } = await someoneWithAPast(server);
  await laptop.push("f", { name: "Travel" }, {}, "sync_projects");
  const tab = { id: "x", url: "https://a.example/", title: "First" };
  await laptop.push("t", { title: "Trip", status: "todo", pages: [tab], notes: ["n"], w: 1 });
  clock.advance(HOUR);
  await helps("PATCH", "/tasks/t", { status: "done", folder: "Travel" });
  await helps("POST", "/tasks/t/tabs", [{ url: "https://b.example/", title: "Second" }]);
  clock.advance(HOUR);
  const stands = await phone.pull("t");
  await phone.push("t", { ...stands?.payload, title: "Journey", notes: [], w: 2 });
  const seen = await ann.get(HISTORY);
  expect([seen.status, cardsOf(seen)]).toEqual([
    200,
    [
      "Edited on phone 4 March 2026, 14:00 UTC Title from Trip to Journey Note removed n " +
        "Other data changed: w Restore the version before this",
      "Changed by the key helper 4 March 2026, 13:00 UTC " +
        "Tab added Second https://b.example/ Restore the version before this",
      "Changed by the key helper 4 March 2026, 13:00 UTC Status from To do to Done " +
        "Folder from nothing to Travel Restore the version before this",
    ],
  ]);
  expect(seen.html).toContain("<h1>History of Journey</h1>");
  expect(seen.text).toContain("Docket keeps replaced and refused versions for 90 days.");
  expect(seen.text).toContain("The task was created by you 4 March 2026, 12:00 UTC");
  expect(seen.html).toContain("<del><bdi>Trip</bdi></del> to <ins><bdi>Journey</bdi></ins>");
});

test("a status and a colour look as they do in the app", async () => {
  const { person: ann, laptop, helps } = await someoneWithAPast(server);
  await laptop.push("t", { title: "Trip", status: "in_progress", colour: "#5ec2e7" });
  await helps("PATCH", "/tasks/t", { status: "done", colour: "#d33b2f" });
  const seen = await ann.get(HISTORY);
  expect(cardsOf(seen)[0]).toContain(
    "Status from In progress to Done Colour from blue to red Restore the version before this",
  );
  expect(seen.html).toContain('fill="#5ec2e7"');
  expect(seen.text).not.toContain("#5ec2e7");
});

test("dates and tags are told by name, as a person reads them", async () => {
  const { person: ann, laptop, helps } = await someoneWithAPast(server);
  await laptop.push("t", { title: "Trip", due: "2026-03-04", tags: ["home", "work"] });
  clock.advance(HOUR);
  await helps("PATCH", "/tasks/t", { due: "2026-04-01", tags: ["home"], position: "a0" });
  await helps("PATCH", "/tasks/t", { due: null, tags: [] });
  expect(cardsOf(await ann.get(HISTORY))).toEqual([
    "Changed by the key helper 4 March 2026, 13:00 UTC Due from 2026-04-01 to nothing " +
      "Tags from home to nothing Restore the version before this",
    "Changed by the key helper 4 March 2026, 13:00 UTC Due from 2026-03-04 to 2026-04-01 " +
      "Tags from home, work to home Position from nothing to a0 Restore the version before this",
  ]);
  const [, first = ""] = await versionsOf(ann.account.id);
  const path = `${RESTORE}?version=${first}`;
  expect((await ann.post(RESTORE, hiddenIn(await ann.get(path), RESTORE))).status).toBe(303);
  expect((await laptop.pull("t"))?.payload).toMatchObject({
    due: "2026-03-04",
    tags: ["home", "work"],
  });
});

test("a refused version is shown with what it would have changed, and can still be restored", async () => {
  const { person: ann, laptop, phone } = await someoneWithAPast(server);
  await laptop.push("t", { title: "Trip" });
  clock.advance(HOUR);
  await laptop.push("t", { title: "Trip to Oslo" });
  const late = { updated_at: formatInstant(clock.wall() - MINUTE) };
  expect((await phone.push("t", { title: "Trip", colour: "red" }, late)).rejected).toMatchObject([
    { reason: "stale" },
  ]);
  const seen = await ann.get(HISTORY);
  expect(cardsOf(seen)[0]).toBe(
    "Sent from phone , but not applied because it was older than the current version 4 March 2026, 13:00 UTC . " +
      "It would have changed: Title from Trip to Oslo to Trip Colour from nothing to red " +
      "Restore this version",
  );
  const confirm = await ann.get(linkTo(seen, "Restore this version"));
  expect(confirm.text).toContain("“ Trip to Oslo ”, the version that was refused: Sent from phone");
  expect((await ann.post(RESTORE, hiddenIn(confirm, RESTORE))).status).toBe(303);
  expect((await laptop.pull("t"))?.payload).toEqual({ title: "Trip", colour: "red" });
});

test("a device whose clock is ahead is mentioned, and its edit counts once", async () => {
  const { person: ann, laptop, phone } = await someoneWithAPast(server);
  await laptop.push("t", { title: "Trip" });
  clock.advance(HOUR);
  const ahead = { updated_at: formatInstant(clock.wall() + 3 * DAY) };
  await phone.push("t", { title: "Journey" }, ahead);
  expect(cardsOf(await ann.get(HISTORY))).toEqual([
    "Sent from phone , whose clock was 3 days ahead 4 March 2026, 13:00 UTC " +
      "Docket applied it with the time at which it arrived.",
    "Edited on phone 4 March 2026, 13:00 UTC Title from Trip to Journey " +
      "Restore the version before this",
  ]);
});

test("an edit from before a key's change is shown as merged with it", async () => {
  const { person: ann, laptop, helps } = await someoneWithAPast(server);
  await laptop.push("t", { title: "Trip" });
  clock.advance(HOUR);
  await helps("PATCH", "/tasks/t", { status: "done" });
  const before = { updated_at: formatInstant(clock.wall() - MINUTE) };
  await laptop.push("t", { title: "Journey" }, before);
  expect(cardsOf(await ann.get(HISTORY))[0]).toBe(
    "Merged with an earlier edit made on laptop 4 March 2026, 13:00 UTC " +
      "Title from Trip to Journey Restore the version before this",
  );
});

test("a task that a key created, and one without changes, say so", async () => {
  const { person: ann, laptop, helps } = await someoneWithAPast(server);
  const { json } = await helps("POST", "/tasks", { title: "Of an agent" });
  const made = await ann.get(`/account/tasks/${json.id}/history`);
  expect(cardsOf(made)).toEqual([
    "Created by the key helper 4 March 2026, 12:00 UTC Title from nothing to Of an agent " +
      "Status from nothing to To do",
  ]);
  await laptop.push("t", { title: "Quiet" });
  const quiet = await ann.get(HISTORY);
  expect([quiet.status, cardsOf(quiet)]).toEqual([200, []]);
  expect(quiet.text).toContain("There are no changes to show.");
  expect((await ann.get("/account/tasks/t")).html).toContain(`<a href="${HISTORY}">`);
});

test("restoring first shows what it would change, is an edit that devices get, and can be undone", async () => {
  const { person: ann, laptop, phone, helps } = await someoneWithAPast(server);
  const first = { title: "Trip", status: "todo", notes: [{ id: "n", text: "mine" }], w: { a: 1 } };
  await laptop.push("t", first);
  clock.advance(HOUR);
  await helps("PATCH", "/tasks/t", { title: "Wrong" });
  clock.advance(HOUR);
  await phone.push("t", { title: "Wrong", status: "done", notes: [] });
  const seen = await ann.get(HISTORY);
  const oldest = (await versionsOf(ann.account.id)).at(-1) ?? "";
  expect(seen.html).toContain(`${RESTORE}?version=${oldest}`);
  const confirm = await ann.get(`${RESTORE}?version=${oldest}`);
  expect([confirm.status, confirm.text]).toEqual([
    200,
    expect.stringContaining(
      "What will change Title from Wrong to Trip Status from Done to To do " +
        "Note added mine Other data changed: w Restoring counts as a new edit, which your devices get " +
        "at their next sync.",
    ),
  ]);
  expect(hiddenIn(confirm, RESTORE)).toEqual({ version: oldest });
  // Looking does not restore anything.
  expect((await phone.pull("t"))?.payload["title"]).toBe("Wrong");
  clock.advance(HOUR);
  const done = await ann.post(RESTORE, hiddenIn(confirm, RESTORE));
  expect([done.status, done.location]).toEqual([303, `${HISTORY}?done=restored`]);
  for (const device of [laptop, phone]) expect((await device.pull("t"))?.payload).toEqual(first);
  const after = await ann.get(done.location ?? "");
  expect(after.text).toContain("The version is restored. Your devices get it as a new edit");
  expect(cardsOf(after)[0]).toStartWith("Restored by you 4 March 2026, 15:00 UTC Title from Wrong");
  await ann.post(RESTORE, { version: (await versionsOf(ann.account.id))[0] ?? "" });
  expect((await laptop.pull("t"))?.payload).toMatchObject({ title: "Wrong", status: "done" });
});

test("a deleted task has a history too, and can be restored from it", async () => {
  const { person: ann, laptop, phone } = await someoneWithAPast(server);
  await laptop.push("t", { title: "Trip", pages: ["https://a.example/"] });
  clock.advance(HOUR);
  await phone.push("t", {}, { deleted_at: formatInstant(clock.wall()) });
  expect((await ann.get("/account/tasks/t")).html).toContain(`<a href="${HISTORY}">`);
  const seen = await ann.get(HISTORY);
  expect([seen.status, cardsOf(seen)]).toEqual([
    200,
    ["Deleted on phone 4 March 2026, 13:00 UTC Task deleted Restore the version before this"],
  ]);
  expect(seen.text).toContain("this task , which is now deleted, newest first");
  const confirm = await ann.get(linkTo(seen, "Restore the version before this"));
  expect(confirm.text).toContain("Task restored Title from nothing to Trip Tab added");
  await ann.post(RESTORE, hiddenIn(confirm, RESTORE));
  expect(await phone.pull("t")).toMatchObject({ deleted_at: null, payload: { title: "Trip" } });
  const cards = cardsOf(await ann.get(HISTORY));
  expect(cards[0]).toStartWith("Restored by you 4 March 2026, 13:00 UTC Task restored");
  // The deleted version has nothing to restore, and the version before it is current again.
  expect(cards.filter((card) => card.includes("Restore the"))).toEqual([]);
});

test("what cannot be restored is neither offered nor done", async () => {
  const { person: ann, laptop, helps } = await someoneWithAPast(server);
  const { json } = await helps("POST", "/tasks", { title: "t" });
  const own = {
    history: `/account/tasks/${json.id}/history`,
    form: `/account/tasks/${json.id}/restore`,
  };
  const [made = ""] = await versionsOf(ann.account.id, json.id);
  const confirm = await ann.get(`${own.form}?version=${made}`);
  expect([confirm.status, confirm.text]).toEqual([
    200,
    expect.stringContaining(
      "There is nothing to restore. In that version, the task was deleted or did not exist yet.",
    ),
  ]);
  expect(confirm.html).not.toContain('name="version"');
  const refused = await ann.post(own.form, { version: made });
  expect([refused.status, refused.text]).toEqual([
    422,
    expect.stringContaining(
      "That version cannot be restored. The record was deleted then, or did not exist yet.",
    ),
  ]);
  await laptop.push("t", { title: "a" });
  clock.advance(HOUR);
  await laptop.push("t", { title: "b" });
  clock.advance(HOUR);
  await laptop.push("t", { title: "a" });
  const oldest = (await versionsOf(ann.account.id)).at(-1) ?? "";
  expect((await ann.get(`${RESTORE}?version=${oldest}`)).text).toContain(
    "There is nothing to restore. The task is already like that.",
  );
  // The version of another task, of no task, and no number at all.
  for (const version of [made, "999999", "", "-1", "1e3", "1 or 1=1"]) {
    const got = await ann.get(`${RESTORE}?version=${encodeURIComponent(version)}`);
    expect([version, got.status, got.text]).toEqual([
      version,
      404,
      expect.stringContaining(NO_VERSION),
    ]);
    const sent = await ann.post(RESTORE, { version });
    expect([sent.status, sent.text]).toEqual([404, expect.stringContaining(NO_VERSION)]);
  }
  expect((await versionsOf(ann.account.id)).length).toBe(2);
});

test("nobody sees or restores what happened in another account", async () => {
  const { person: ann, laptop, helps } = await someoneWithAPast(server);
  await laptop.push("t", { title: "Secret plan" });
  clock.advance(HOUR);
  await helps("PATCH", "/tasks/t", { title: "Secret journey" });
  const [version = ""] = await versionsOf(ann.account.id);
  const bob = await someoneSignedIn(server, "bob");
  for (const seen of [
    await bob.get(HISTORY),
    await bob.get(`${RESTORE}?version=${version}`),
    await bob.post(RESTORE, { version }),
  ]) {
    expect([seen.status, seen.text]).toEqual([404, expect.stringContaining(NO_TASK)]);
    expect(seen.text).not.toContain("Secret");
  }
  // Bob's own task with the same id reveals nothing about ann's.
  const { laptop: bobs, person } = await someoneWithAPast(server, "bob");
  await bobs.push("t", { title: "Bob's" });
  expect((await person.get(HISTORY)).text).not.toContain("Secret");
  const refused = await person.post(RESTORE, { version });
  expect([refused.status, refused.text]).toEqual([404, expect.stringContaining(NO_VERSION)]);
  expect((await bobs.pull("t"))?.payload).toEqual({ title: "Bob's" });
  expect((await laptop.pull("t"))?.payload["title"]).toBe("Secret journey");
});

test("no credential of the API opens a history or restores anything", async () => {
  const { laptop, helper, helps } = await someoneWithAPast(server);
  await laptop.push("t", { title: "Trip" });
  await helps("PATCH", "/tasks/t", { title: "Wrong" });
  for (const token of [helper.secret, laptop.token])
    for (const path of [HISTORY, RESTORE, "/account/deleted", "/account/keys/x/undo"]) {
      const page = await fetch(server.url + path, {
        headers: { authorization: `Bearer ${token}` },
        redirect: "manual",
      });
      expect([page.status, await page.text()]).toEqual([303, ""]);
    }
});

test("long histories have several pages, with each event on one of them", async () => {
  const { person: ann, laptop } = await someoneWithAPast(server);
  for (let edit = 0; edit <= 45; edit += 1) {
    await laptop.push("t", { title: `title ${edit}` });
    clock.advance(HOUR);
  }
  const told: (string | undefined)[] = [];
  let path = HISTORY;
  for (const size of [20, 20, 5]) {
    const seen = await ann.get(path);
    const cards = cardsOf(seen);
    expect([seen.status, cards.length]).toEqual([200, size]);
    told.push(...cards.map((card) => /to title (\d+)/.exec(card)?.[1]));
    expect(seen.text.includes("The task was created")).toBe(size === 5);
    expect(linkTo(seen, "Newest")).toBe(path === HISTORY ? "" : HISTORY);
    path = linkTo(seen, "Older");
  }
  expect([path, told]).toEqual(["", Array.from({ length: 45 }, (_, at) => String(45 - at))]);
});

test("edits that a device made in one go are one entry, and each can be shown", async () => {
  const { person: ann, laptop, phone, helps } = await someoneWithAPast(server);
  for (const title of ["a", "b", "c"]) {
    await laptop.push("t", { title });
    clock.advance(9 * MINUTE);
  }
  await laptop.push("t", { title: "c", status: "done" });
  clock.advance(11 * MINUTE);
  await laptop.push("t", { title: "d", status: "done" });
  await phone.push("t", { title: "e", status: "done" });
  for (const title of ["f", "g"]) await helps("PATCH", "/tasks/t", { title });
  const seen = await ann.get(HISTORY);
  expect(cardsOf(seen).map((card) => card.replace(/ \d+ March.*UTC/, ""))).toEqual([
    "Changed by the key helper Title from f to g Restore the version before this",
    "Changed by the key helper Title from e to f Restore the version before this",
    "Edited on phone Title from d to e Restore the version before this",
    "Edited on laptop Title from c to d Restore the version before this",
    "Edited on laptop Title from a to c Status from nothing to Done Restore the version before this",
  ]);
  await ann.post(RESTORE, { version: (await versionsOf(ann.account.id)).at(-1) ?? "" });
  expect((await laptop.pull("t"))?.payload).toMatchObject({ title: "a" });
  const each = await ann.get(linkTo(seen, "show each edit"));
  expect(cardsOf(each)).toHaveLength(8);
});

test("no more steps are on a page because many edits were made in one go", async () => {
  const { person: ann, laptop } = await someoneWithAPast(server);
  for (let edit = 0; edit < 50; edit += 1) {
    await laptop.push("t", { title: `title ${edit}` });
    clock.advance(edit % 2 === 0 ? MINUTE : HOUR);
  }
  const first = await ann.get(HISTORY);
  const second = await ann.get(linkTo(first, "Older"));
  const told = [first, second].map((page) =>
    cardsOf(page).map((card) => /from title (\d+) to title (\d+)/.exec(card)?.slice(1).join("-")),
  );
  // The first one was made, and what followed it a minute later was edited.
  const sittings = Array.from({ length: 24 }, (_, at) => `${47 - 2 * at}-${49 - 2 * at}`);
  expect(told).toEqual([sittings.slice(0, 20), [...sittings.slice(20), "0-1"]]);
});

test("an address that names no valid page shows the newest changes, and says so", async () => {
  const { person: ann, laptop } = await someoneWithAPast(server);
  await laptop.push("t", { title: "a" });
  clock.advance(MINUTE);
  await laptop.push("t", { title: "b" });
  const seen = await ann.get(`${HISTORY}?before=yesterday`);
  expect([seen.status, cardsOf(seen).length]).toEqual([422, 1]);
  expect(seen.text).toContain(
    "This address does not lead to a page of the list. Showing the newest changes.",
  );
});

test("The history of an imported task says from which file it is", async () => {
  const ann = await someoneSignedIn(server);
  const read = readImport("shelf.txt", Buffer.from("https://a.example/ | A"));
  if ("error" in read) throw new Error(read.error);
  const { format, tasks } = read;
  const file = { name: "shelf.txt", digest: "1", leftOut: [], format, tasks };
  await runImport(server.store, ann.account.id, file, server.clock.wall);
  const [row] = ask<{ id: string }>(
    server.directory,
    "SELECT id FROM record WHERE account_id = ? AND title = 'A'",
    ann.account.id,
  );
  const seen = await ann.get(`/account/tasks/${row?.id}/history`);
  expect(seen.text).toContain("from the file shelf.txt (OneTab)");
});
