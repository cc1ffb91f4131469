import { afterAll, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import fc from "fast-check";
import { openStore } from "../../../src/db/open.ts";
import { canonical, type Payload } from "../../../src/domain/base/payload.ts";
import { cases } from "../../support/random.ts";
import { NOON } from "../../support/server.ts";
import { annsRecords } from "../../support/db/past.ts";
import { newDirectory } from "../../support/db/place.ts";
import { restoreVersion } from "../../support/rules.ts";

const directory = newDirectory();
const store = await openStore({ directory, role: "server", now: NOON });
afterAll(async () => {
  await store.close();
  rmSync(directory, { recursive: true });
});

const tabOf = (name: string) => ({ id: name, url: `https://${name}.example/`, title: name });
const items = fc
  .shuffledSubarray(["a", "b", "c", "d", "e"])
  .map((names) => names.map((name) => tabOf(name)));

/** A task as a person left it on their phone. */
const versions = fc.record(
  {
    title: fc.constantFrom("a", "b", "c"),
    status: fc.constantFrom("todo", "done"),
    bucket_id: fc.constantFrom(null, "b1", "trash"),
    pages: items,
    notes: items,
  },
  { requiredKeys: ["title"] },
);

const names = (list: unknown): readonly string[] =>
  (list as { id: string }[]).map(({ id }) => id).toSorted();

/** The content of a task, regardless of its order and of the device's own fields. */
const contents = ({ title, status = null, bucket_id = null, pages = [], notes = [] }: Payload) => {
  return { title, status, bucket_id, pages: names(pages), notes: names(notes) };
};

/**
 * The expected task after a device that knows nothing of the restore pushed what it `held`, and had changed
 * nothing of that. What the restore changed of the state before it (`last`) stays changed. What it did not
 * change is as the device says.
 */
const merged = (wanted: Payload, held: Payload, last: Payload): ReturnType<typeof contents> => {
  const [all, own, stood] = [contents(wanted), contents(held), contents(last)];
  const field = (name: "bucket_id" | "status" | "title"): unknown =>
    all[name] === stood[name] ? own[name] : all[name];
  const list = (name: "notes" | "pages"): readonly string[] => {
    const [is, was, sent] = [new Set(all[name]), new Set(stood[name]), new Set(own[name])];
    const stays = (id: string): boolean => (is.has(id) === was.has(id) ? sent : is).has(id);
    return ["a", "b", "c", "d", "e"].filter(stays);
  };
  return {
    title: field("title"),
    status: field("status"),
    bucket_id: field("bucket_id"),
    pages: list("pages"),
    notes: list("notes"),
  };
};

const histories = fc.record({
  all: fc.array(versions, { minLength: 2, maxLength: 8 }),
  seen: fc.nat(7),
  wanted: fc.nat(7),
  early: fc.boolean(),
});

test("Whatever a device knew of a task, a person's restore stays until the device knows of it", async () => {
  await fc.assert(
    fc.asyncProperty(histories, async ({ all, seen, wanted, early }) => {
      const { ann, now, device, past, payload } = await annsRecords(store);
      const [phone, laptop] = [device("phone"), device("laptop")];
      let held: Payload = {};
      for (const [index, version] of all.entries()) {
        await phone.push("t1", version);
        if (index > seen % all.length) continue;
        await laptop.pull();
        held = await payload("t1");
      }
      const steps = await past("t1");
      const step = steps[wanted % Math.max(steps.length, 1)];
      if (!step?.before) return;
      const last = await payload("t1");
      const edited = early ? { at: now() } : {};
      await restoreVersion(store, ann, step.version.id, now());
      expect(canonical(await payload("t1"))).toBe(canonical(step.before.payload));
      await laptop.push("t1", { ...held, mood: 1 }, edited);
      expect(contents(await payload("t1"))).toEqual(merged(step.before.payload, held, last));
      await laptop.pull();
      await laptop.push("t1", { ...held, mood: 2 });
      expect(await payload("t1")).toEqual({ ...held, mood: 2 });
    }),
    cases(150),
  );
});
