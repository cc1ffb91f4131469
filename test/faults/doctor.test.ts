import { expect } from "bun:test";
import { cpSync } from "node:fs";
import { DOCKET } from "../support/docket.ts";
import { MOUNT, testWith } from "../support/faults/needs.ts";
import { mountStorage } from "../support/faults/storage.ts";
import { run } from "../support/program.ts";
import { makeCredentials } from "../support/process.ts";
import { testDirectory } from "../support/server.ts";

testWith(MOUNT, "docket doctor finds a full disk, and one that is read-only", async () => {
  const data = testDirectory();
  await makeCredentials(data);
  const storage = mountStorage(400);
  cpSync(data, storage.directory, { recursive: true });
  const problems = async () => {
    const { out } = await run(DOCKET, ["doctor", "--json", "--data", storage.directory]);
    const found = JSON.parse(out) as readonly { readonly about: string; readonly state: string }[];
    return found.filter(({ state }) => state === "problem").map(({ about }) => about);
  };
  expect(await problems()).toEqual([]);
  storage.fill();
  expect(await problems()).toContain("space");
  storage.makeRoom();
  storage.remount("ro");
  expect(await problems()).toContain("access");
  storage.remount("rw");
});
