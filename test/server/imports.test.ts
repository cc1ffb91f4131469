import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { NO_WISH } from "../../src/import/file.ts";
import { DAY } from "../../src/domain/base/instant.ts";
import { NOON, testClock } from "../support/server.ts";
import { serviceFor } from "../support/service.ts";
import { accountFor, openForTest } from "../support/db/store.ts";

const fileOf = (text: string): Request =>
  new Request("http://127.0.0.1/", { method: "POST", body: text });

test("what nobody imports goes after a day, and with its account", async () => {
  const store = await openForTest();
  const clock = testClock(NOON);
  const { imports } = serviceFor(store, clock);
  const { uploads } = imports;
  const [ann, bob] = [await accountFor(store), await accountFor(store, "bob@example.org")];
  const [first, second] = [
    await uploads.receive(ann, "a.txt", fileOf("https://a.example/")),
    await uploads.receive(bob, "b.txt", fileOf("https://b.example/")),
  ];
  uploads.forget(bob);
  expect([first, second].map(({ id }) => existsSync(uploads.pathOf(id)))).toEqual([true, false]);
  clock.advance(DAY - 1_000);
  await imports.sweep();
  expect(uploads.find(ann, first.id)).not.toBeNull();
  clock.advance(2_000);
  await imports.sweep();
  expect([uploads.find(ann, first.id), existsSync(uploads.pathOf(first.id))]).toEqual([
    null,
    false,
  ]);
  await store.close();
});

test("one import of an account runs at a time, and a stopping server begins none", async () => {
  const store = await openForTest();
  const { imports } = serviceFor(store, testClock(NOON));
  const { uploads } = imports;
  const ann = await accountFor(store);
  const links = Array.from({ length: 400 }, (_, at) => `https://a.example/${at} | P\n`).join("\n");
  const first = await uploads.receive(ann, "a.txt", fileOf(links));
  // In one turn, as with a double click: whether the first is done by then is no matter of speed.
  const begun = imports.begin(first, NO_WISH);
  await expect(imports.begin(first, NO_WISH)).rejects.toThrow("Another import runs.");
  const id = await begun;
  while (imports.jobOf(id)?.state === "running") await Bun.sleep(5);
  expect(imports.jobOf(id)?.done).toBe(400);
  expect(uploads.find(ann, first.id)).toBeNull();
  const second = await uploads.receive(ann, "b.txt", fileOf(links));
  await imports.stop();
  await expect(imports.begin(second, NO_WISH)).rejects.toThrow("The server stops.");
  await store.close();
});
