import { expect, test } from "bun:test";
import { formatInstant, HOUR, MINUTE } from "../../src/domain/base/instant.ts";
import { sharedServer } from "../support/replies.ts";
import { meeting } from "../support/http/meeting.ts";

const server = await sharedServer({ limits: { perMinute: 10_000, perHour: 10_000 } });

const DONE = { applied: 1, rejected: [], merged: [], invalid: [] };

/** How a reply lists a task that is not stored as it was pushed. */
const LISTED = { table: "sync_tasks", id: "t" };

test.each(["merged", "late", "clamped"] as const)(
  "A push that was %s gets the same reply when it is repeated, and changes nothing",
  async (kind) => {
    const { phone, files, now, row, laptop } = await meeting(server);
    const edited = now();
    await files("a");
    const updated = { merged: now(), late: edited, clamped: now() + HOUR }[kind];
    const first = await phone.push({ title: "bread" }, { updated });
    const stood = await row();
    const { server_time } = await laptop.pull();
    const again = await phone.push({ title: "bread" }, { updated });
    expect(again.json).toEqual(first.json);
    expect(first.json).toMatchObject({
      applied: 1,
      rejected: [{ ...LISTED, reason: kind === "clamped" ? "clamped" : "merged" }],
      merged: [LISTED],
    });
    expect(await row()).toEqual(stood);
    expect((await laptop.pull(server_time)).changes.sync_tasks).toEqual([]);
  },
);

test("A repeated push whose task an agent has changed gets the current task back", async () => {
  const { phone, sets, row } = await meeting(server);
  const updated = Date.parse((await row()).updated_at);
  await sets({ title: "bread" });
  const before = await row();
  const answer = await phone.push({ title: "milk" }, { updated });
  const server_row = { ...before, created_by: "person" };
  const updated_at = formatInstant(updated);
  expect(answer.json).toEqual({
    ...DONE,
    applied: 0,
    rejected: [{ ...LISTED, updated_at, reason: "stale", server_row }],
  });
  expect(await row()).toEqual(before);
});

test("With the server's clock set back, repeating an old push does not replace anything newer", async () => {
  const { phone, laptop, now, row } = await meeting(server);
  const old = now();
  await phone.push({ title: "old" }, { updated: old });
  await laptop.push({ title: "new" });
  const before = await row();
  // The old stamp is now also further ahead than an honest one would be.
  server.clock.set(old - 6 * MINUTE);
  expect((await phone.push({ title: "old" }, { updated: old })).json).toMatchObject({
    applied: 0,
    rejected: [{ reason: "stale" }],
  });
  expect(await row()).toEqual(before);
});
