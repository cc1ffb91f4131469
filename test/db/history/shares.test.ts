import { mapInOrder } from "../../../src/domain/base/in-order.ts";
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { and, eq, isNotNull, sql } from "drizzle-orm";
import { createKey } from "../../../src/db/people/api-keys.ts";
import { newestVersion, undoKeys } from "../../../src/db/history/undo.ts";
import { releaseVersions } from "../../../src/db/history/quota.ts";
import { apiKey } from "../../../src/db/schema/credentials.ts";
import { version } from "../../../src/db/schema/history.ts";
import { account } from "../../../src/db/schema/records.ts";
import type { Shares } from "../../../src/db/history/grow.ts";
import { Refusal } from "../../../src/domain/base/refusal.ts";
import { cryptoRandom } from "../../../src/domain/base/secret.ts";
import { formatInstant } from "../../../src/domain/base/instant.ts";
import type { Editor } from "../../../src/domain/people/account.ts";
import { cases } from "../../support/random.ts";
import { createTask, fileTabs, patchTask } from "../../support/rules.ts";
import { annsRecords, historySizes } from "../../support/db/past.ts";
import { openForTest } from "../../support/db/store.ts";

const KIB = 1024;
/** What a server has room for, made small: people's versions, one key's, all keys'. */
const SMALL: Shares = { people: 64 * KIB, key: 1024 * KIB, keys: 4096 * KIB };

/** ann, her phone and two of her keys. */
const world = async (shares: Shares = SMALL) => {
  const records = await annsRecords(await openForTest({ shares }));
  const { store, ann, now } = records;
  const phone = records.device("phone");
  const newKey = async (name: string): Promise<Editor> => {
    const fields = { name, scopes: ["read", "write"] as const, restriction: null, expiresAt: null };
    const { key } = await createKey(store, ann, fields, cryptoRandom, now());
    return { kind: "api_key", id: key.id, name, restriction: null };
  };
  const [bot, cat] = [await newKey("bot"), await newKey("cat")];
  const rename = (id: string, title: string, by: Editor) =>
    patchTask(store, ann, id, { patch: { title }, ifMatch: null }, by, now());
  /** Files 20 kB of tabs. */
  const fill = (id: string, by: Editor) => {
    const tabs = Array.from({ length: 4 }, (_, at) => ({
      url: `https://${at}.example/${"x".repeat(5_000)}`,
      title: "junk",
    }));
    return fileTabs(store, ann, id, tabs, by, now());
  };
  const undo = async (...keys: readonly Editor[]) => {
    const upTo = await newestVersion(store, ann);
    const keyIds = keys.map(({ id }) => id ?? "");
    return undoKeys(store, ann, { keyIds, since: 0, upTo }, now());
  };
  /** Every count of the store, and what it should be. */
  const counts = async () => {
    const keys = await store.reader.select().from(apiKey).where(eq(apiKey.accountId, ann)).all();
    const charged = async (which: ReturnType<typeof eq> | undefined) =>
      (
        await store.reader
          .select({ size: sql<number>`coalesce(sum(${version.keySize}), 0)` })
          .from(version)
          .where(and(eq(version.accountId, ann), isNotNull(version.chargedTo), which))
          .get()
      )?.size;
    const all = await store.reader.select().from(account).where(eq(account.id, ann)).get();
    const { counted, kept } = await historySizes(store, ann);
    return {
      counted: [counted, all?.keysHistorySize, ...keys.map(({ historySize }) => historySize)],
      real: [
        kept,
        await charged(undefined),
        ...(await mapInOrder(keys, ({ id }) => charged(eq(version.chargedTo, id)))),
      ],
    };
  };
  return { ...records, phone, bot, cat, rename, fill, undo, counts };
};

type World = Awaited<ReturnType<typeof world>>;

const TASKS = Array.from({ length: 20 }, (_, at) => `t${at}`);

/** Twenty tasks that ann made, named after her. */
const annsTasks = async ({ phone }: World): Promise<void> => {
  for (const id of TASKS) await phone.push(id, { title: `ann's ${id}` });
  await phone.pull();
};

const titlesOf = ({ payload }: World) =>
  mapInOrder(TASKS, async (id) => (await payload(id))["title"]);

describe("what ann wrote comes back, whatever a key does", () => {
  const before = TASKS.map((id) => `ann's ${id}`);

  test("if it fills her tasks, then overwrites their titles", async () => {
    const ann = await world();
    await annsTasks(ann);
    for (const id of TASKS) await ann.fill(id, ann.bot);
    for (const id of TASKS) await ann.rename(id, "overwritten", ann.bot);
    await ann.undo(ann.bot);
    expect(await titlesOf(ann)).toEqual(before);
    expect((await mapInOrder(TASKS, ann.tabs)).flat()).toEqual([]);
    expect((await ann.counts()).counted).toEqual((await ann.counts()).real);
  });

  test("if she deletes the junk with a client that empties what it deletes, and then undoes", async () => {
    const ann = await world();
    await annsTasks(ann);
    for (const id of TASKS) await ann.rename(id, "overwritten", ann.bot);
    for (let at = 0; at < 20; at += 1) {
      const draft = { title: `junk ${at}`, tabs: [], notes: [] };
      const { id } = await createTask(ann.store, ann.ann, draft, ann.bot, ann.now());
      await ann.fill(id, ann.bot);
      await ann.phone.pull();
      const trashed = { ...(await ann.payload(id)), bucket_id: "trash" };
      await ann.phone.push(id, trashed);
      await ann.phone.push(id, {}, { deleted_at: formatInstant(ann.now()) });
    }
    expect((await ann.counts()).counted[0]).toBeLessThan(SMALL.people / 2);
    await ann.undo(ann.bot);
    expect(await titlesOf(ann)).toEqual(before);
    expect((await ann.counts()).counted).toEqual((await ann.counts()).real);
  });

  test("if two keys overwrite each other, and are undone together", async () => {
    const ann = await world();
    await annsTasks(ann);
    for (const id of TASKS) {
      await ann.rename(id, "one", ann.bot);
      await ann.rename(id, "two", ann.cat);
      await ann.rename(id, "three", ann.bot);
    }
    await ann.undo(ann.bot, ann.cat);
    expect(await titlesOf(ann)).toEqual(before);
  });
});

const refusal = (whose: string, size: string) =>
  new Refusal(
    "disk_full",
    `The history of what ${whose} changed is full (${size}), so nothing was changed. Reading still works. ` +
      "A person can make room on the page of API keys, by undoing or keeping what the key did.",
  );

/** Renames a task until that is refused. Returns why. */
const fillShare = async (ann: World, by: Editor): Promise<unknown> => {
  for (let at = 0; at < 200; at += 1)
    try {
      await ann.rename("t0", `${at} ${"x".repeat(400)}`, by);
    } catch (error) {
      return error;
    }
  return null;
};

describe("a key whose share of the history is full", () => {
  test("cannot write, removes nothing, and leaves the other keys and ann alone", async () => {
    const ann = await world({ ...SMALL, key: 20 * KIB });
    await annsTasks(ann);
    const since = (await ann.store.reader.select().from(account).get())?.historySince;
    expect(await fillShare(ann, ann.bot)).toEqual(refusal("this key", "0 MiB"));
    const stays = await ann.payload("t0");
    await expect(ann.rename("t0", "again", ann.bot)).rejects.toThrow("is full");
    expect(await ann.payload("t0")).toEqual(stays);
    await ann.rename("t1", "by the other", ann.cat);
    await ann.phone.push("t2", { title: "by ann" });
    expect((await ann.store.reader.select().from(account).get())?.historySince).toBe(since ?? 0);
    expect((await ann.counts()).counted).toEqual((await ann.counts()).real);
  });

  test("stops all keys together once they fill the share of all", async () => {
    const ann = await world({ ...SMALL, keys: 20 * KIB });
    await annsTasks(ann);
    await fillShare(ann, ann.bot);
    expect(await fillShare(ann, ann.cat)).toEqual(refusal("all keys of this account", "0 MiB"));
  });

  test.each(["an undo", "keeping what it did"])("writes again after %s", async (how) => {
    const ann = await world({ ...SMALL, key: 20 * KIB });
    await annsTasks(ann);
    await fillShare(ann, ann.bot);
    const upTo = await newestVersion(ann.store, ann.ann);
    if (how === "an undo") await ann.undo(ann.bot);
    else await releaseVersions(ann.store, ann.ann, { keyIds: [ann.bot.id ?? ""], since: 0, upTo });
    await ann.rename("t3", "works again", ann.bot);
    expect((await ann.counts()).counted).toEqual((await ann.counts()).real);
    // What was kept can still be undone.
    await ann.undo(ann.bot);
    expect((await titlesOf(ann)).slice(0, 4)).toEqual([
      "ann's t0",
      "ann's t1",
      "ann's t2",
      "ann's t3",
    ]);
  });
});

const acts = fc.array(
  fc.record({
    who: fc.constantFrom("bot", "cat", "ann"),
    what: fc.constantFrom("file", "overwrite", "move", "delete", "undo"),
    task: fc.nat({ max: 5 }),
  }),
  { minLength: 10, maxLength: 40 },
);

test("After any mixture of two keys' and ann's work, an undo of both keys leaves every text as ann wrote it last", async () => {
  await fc.assert(
    fc.asyncProperty(acts, async (steps) => {
      const ann = await world();
      const written = new Map<string, string>();
      const gone = new Set<string>();
      let edits = 0;
      const write = async (id: string): Promise<void> => {
        const title = `ann's ${(edits += 1)}`;
        await ann.phone.pull();
        const now = gone.has(id) || !written.has(id) ? {} : await ann.payload(id);
        await ann.phone.push(id, { ...now, title });
        written.set(id, title);
        gone.delete(id);
      };
      for (const id of TASKS.slice(0, 6)) await write(id);
      for (const { who, what, task } of steps) {
        const id = `t${task}`;
        if (who === "ann") {
          if (what === "delete") {
            await ann.phone.pull();
            await ann.phone.push(id, {}, { deleted_at: formatInstant(ann.now()) });
            gone.add(id);
          } else if (what === "undo") await ann.undo(ann.bot);
          else await write(id);
        } else if (!gone.has(id)) {
          const key = who === "bot" ? ann.bot : ann.cat;
          if (what === "file") await ann.fill(id, key);
          else if (what === "move")
            await patchTask(
              ann.store,
              ann.ann,
              id,
              { patch: { colour: "red" }, ifMatch: null },
              key,
              ann.now(),
            );
          else await ann.rename(id, `by ${who} ${(edits += 1)}`, key);
        }
      }
      await ann.undo(ann.bot, ann.cat);
      for (const [id, title] of written)
        if (!gone.has(id)) expect([id, (await ann.payload(id))["title"]]).toEqual([id, title]);
      expect((await ann.counts()).counted).toEqual((await ann.counts()).real);
    }),
    cases(20),
  );
});
