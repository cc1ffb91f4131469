import { expect, test } from "bun:test";
import { formatInstant, MINUTE } from "../../../src/domain/base/instant.ts";
import { fileTabs } from "../../support/rules.ts";
import { annsRecords } from "../_past.ts";
import { BOT, recordOf } from "../_store.ts";
import { turnsDuring, WITHOUT_SLICES } from "../_turns.ts";

const TASKS = Array.from({ length: 20 }, (_, at) => `t${at}`);
const VERSIONS = 20;
const notes = (version: number): object => ({ notes: [`${version} `.repeat(60_000)] });

/** Tasks that a phone has changed many times since `first`. */
const withLongPasts = async () => {
  const ann = await annsRecords();
  const phone = ann.device("phone");
  const first = ann.now();
  for (let version = 0; version < VERSIONS; version++) {
    const at = version === 0 ? first : ann.now();
    const record = (id: string) => recordOf(id, at, { title: id, ...notes(version) });
    await phone.send(TASKS.map(record), at);
    await phone.pull();
  }
  return { ...ann, first };
};

test("While a push is compared with what was done since, others go on", async () => {
  const { device, first, now } = await withLongPasts();
  const laptop = device("laptop");
  const expected = { expected_updated_at: formatInstant(first) };
  const edit = (id: string) => recordOf(id, first + MINUTE / 2, { title: "again" }, expected);
  const turns = await turnsDuring(() => laptop.send(TASKS.map(edit), now()));
  expect(turns).toBeGreaterThan(WITHOUT_SLICES + 1);
});

test("While the pasts of tasks that a key filed into are read, others go on", async () => {
  const { store, ann, device, first, now } = await withLongPasts();
  const tab = { url: "https://x.example/", title: "X" };
  for (const id of TASKS) await fileTabs(store, ann, id, [tab], BOT, now());
  const laptop = device("laptop", false);
  const edit = (id: string) => recordOf(id, first + MINUTE / 2, { title: "again" });
  const turns = await turnsDuring(() => laptop.send(TASKS.map(edit), now()));
  expect(turns).toBeGreaterThan(WITHOUT_SLICES + 1);
});

test("While a bucket with many tasks becomes a trash bucket, others go on", async () => {
  const { device, now, rows } = await annsRecords();
  const phone = device("phone");
  for (let part = 0; part < 20; part++) {
    const updated = now();
    const task = (_: unknown, at: number) =>
      recordOf(`${part} ${at}`, updated, { title: "t", bucket_id: "b", notes: ["x".repeat(400)] });
    await phone.send(Array.from({ length: 500 }, task), updated);
  }
  const turns = await turnsDuring(() =>
    phone.push("b", { kind: "trash" }, { table: "sync_buckets" }),
  );
  expect(turns).toBeGreaterThan(WITHOUT_SLICES + 1);
  expect((await rows()).filter(({ trashed }) => trashed === 1)).toHaveLength(10_000 + 1);
});
