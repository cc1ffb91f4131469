import { afterAll, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import fc from "fast-check";
import type { Editor } from "../../../src/domain/people/account.ts";
import { isInvalid, parseChange } from "../../../src/domain/sync/change.ts";
import { openStore } from "../../../src/db/open.ts";
import { payloadOf } from "../../../src/domain/records/row.ts";
import { newestVersion, undoKeys } from "../../../src/db/history/undo.ts";
import { formatInstant, type Instant, MINUTE } from "../../../src/domain/base/instant.ts";
import { canonical } from "../../../src/domain/base/payload.ts";
import type { Table } from "../../../src/domain/base/record.ts";
import { Refusal } from "../../../src/domain/base/refusal.ts";
import { cases } from "../../support/random.ts";
import { NOON } from "../../support/server.ts";
import { chronicle, keyOf, lostOf, once } from "../../support/db/chronicle.ts";
import { annsRecords, CAT, historySizes } from "../../support/db/past.ts";
import { taskPayloads } from "../../support/db/payloads.ts";
import { newDirectory } from "../../support/db/place.ts";
import { BOT, PHONE } from "../../support/db/store.ts";
import {
  addNote,
  createFolder,
  createTask,
  fileInbox,
  fileTabs,
  patchTask,
  restoreDeleted,
  restoreVersion,
} from "../../support/rules.ts";

const directory = newDirectory();
const store = await openStore({ directory, role: "server", now: NOON });
afterAll(async () => {
  await store.close();
  rmSync(directory, { recursive: true });
});

const TASKS = ["t1", "t2"];
/** The difference between a device's stamp and the time of its push, including far behind and far ahead. */
const OFFS = [0, 0, 0, -1, -90_000, -60 * MINUTE, 20 * MINUTE, 30 * MINUTE];

const pushes = fc.record({
  do: fc.constant("push" as const),
  device: fc.constantFrom<0 | 1>(0, 1),
  table: fc.constantFrom<Table>("sync_tasks", "sync_tasks", "sync_projects", "sync_buckets"),
  id: fc.constantFrom(...TASKS, "trash"),
  payload: taskPayloads,
  off: fc.constantFrom(...OFFS),
  deleted: fc.nat(3).map((die) => die === 0),
});

const others = fc.record({
  do: fc.constantFrom<
    "folder" | "gone" | "inbox" | "note" | "patch" | "pull" | "restore" | "tabs" | "task" | "undo"
  >("folder", "gone", "inbox", "note", "patch", "pull", "restore", "tabs", "task", "undo"),
  who: fc.constantFrom<Editor>(BOT, BOT, CAT, PHONE),
  pick: fc.nat(9),
  title: fc.constantFrom("a", "b", "c"),
});

const again = fc.record({ do: fc.constant("again" as const), pick: fc.nat(9) });

const acts = fc.oneof(
  { weight: 4, arbitrary: pushes },
  { weight: 7, arbitrary: others },
  { weight: 1, arbitrary: again },
);
type Act = typeof acts extends fc.Arbitrary<infer One> ? One : never;
type Push = Extract<Act, { do: "push" }>;
type Other = Exclude<Act, { do: "again" | "push" }>;

const pickOf = <One>(list: readonly One[], at: number) => list[at % Math.max(list.length, 1)];

/** Plays the acts of ann's devices, keys and pages, and records the result of each. */
const player = async () => {
  const world = await annsRecords(store);
  const { ann, now, device, rows, past } = world;
  const written = chronicle(store, ann);
  const devices = [device("phone"), device("laptop", false)] as const;
  const sent: { readonly by: 0 | 1; readonly change: object }[] = [];

  const send = async (by: 0 | 1, change: object): Promise<void> => {
    const at = now();
    const { sessionId } = devices[by];
    const result = await devices[by].send([change], at);
    await written.look(sessionId, false, at);
    const parsed = parseChange(change);
    if (!isInvalid(parsed)) written.refuse(parsed, result, sessionId, at);
  };
  const push = ({ device: by, off, deleted, ...record }: Push): Promise<void> => {
    const stamp = formatInstant(now() + off);
    const change = { ...record, updated_at: stamp, deleted_at: deleted ? stamp : null };
    sent.push({ by, change });
    return send(by, change);
  };
  const restore = async ({ pick }: Other, at: Instant): Promise<void> => {
    const row = pickOf(await rows(), pick);
    const step = row && pickOf(await past(row.id, row.table), pick * 7);
    const restored = step && (await restoreVersion(store, ann, step.version.id, at));
    if (!restored) return;
    expect(canonical(payloadOf(restored))).toBe(canonical(step.before?.payload));
    expect([restored.deletedAt, restored.updated >= row.updated]).toEqual([null, true]);
  };
  const undo = async ({ who }: Other, at: Instant): Promise<unknown> => {
    const upTo = await newestVersion(store, ann);
    return undoKeys(store, ann, { keyIds: [who.id ?? ""], since: NOON, upTo }, at);
  };
  const work = async (act: Other, at: Instant): Promise<unknown> => {
    const { pick, title, who } = act;
    const tasks = (await rows()).filter(({ table }) => table === "sync_tasks");
    const id = pickOf(tasks, pick)?.id ?? "t1";
    const tab = { url: `https://${title}.example/`, title };
    switch (act.do) {
      case "folder":
        return createFolder(store, ann, { name: title, colour: null }, who, at);
      case "inbox":
        return fileInbox(store, ann, [tab], who, at);
      case "note":
        return addNote(store, ann, id, title, who, at);
      case "patch":
        return patchTask(store, ann, id, { patch: { title }, ifMatch: null }, who, at);
      case "tabs":
        return fileTabs(store, ann, id, [tab, tab], who, at);
      case "task":
        return createTask(store, ann, { title, tabs: [tab], notes: [title] }, who, at);
      case "pull":
        return devices[0].pull();
      case "gone":
        return restoreDeleted(store, ann, "sync_tasks", id, at);
      case "restore":
        return restore(act, at);
      case "undo":
        return undo(act, at);
    }
  };
  const play = async (act: Act): Promise<void> => {
    if (act.do === "push") return push(act);
    if (act.do === "again") {
      const one = pickOf(sent, act.pick);
      return one && send(one.by, one.change);
    }
    const at = now();
    await work(act, at).catch(unlessRefused);
    const isPersons = BY_PERSON.includes(act.do);
    const by = isPersons ? "person" : (act.who.id ?? "");
    await written.look(by, !isPersons && act.who.kind === "api_key", at);
  };
  return { ...world, written, play };
};

const BY_PERSON: readonly string[] = ["gone", "restore", "undo"];

const unlessRefused = (error: unknown): void => {
  if (!(error instanceof Refusal)) throw error;
};

test("Whatever people and keys do, each version that was ever current or refused can be recovered", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(acts, { minLength: 3, maxLength: 25, size: "max" }), async (all) => {
      const { ann, play, written, rows, past } = await player();
      for (const act of all) await play(act);
      for (const { table, id } of await rows()) {
        const kept = (await past(id, table)).map(lostOf).toReversed();
        expect(once(kept)).toEqual(once(written.lost.get(keyOf({ table, id })) ?? []));
      }
      const { counted, kept } = await historySizes(store, ann);
      expect(counted).toBe(kept ?? 0);
    }),
    cases(70),
  );
});
