import { expect, test } from "bun:test";
import { join } from "node:path";
import { run } from "../support/program.ts";
import type { Walk } from "./walk.ts";

// Five jobs are followed through the program while they are done. Each goes down once and comes up once, so that a
// reader can follow it from file to file and need not turn back.

const here = (name: string): string => join(import.meta.dir, name);

const measured = async (): Promise<readonly Walk[]> => {
  const words = ["--preload", here("instrument.ts"), here("measure.ts")];
  const { out, err, code } = await run([process.execPath, ...words], []);
  if (code !== 0) throw new Error(err);
  return JSON.parse(out) as Walk[];
};

const AGAIN_THERE =
  "the credential and what it may do are asked again in the transaction: a key revoked meanwhile writes nothing";

/** Files that a job may come back to, and why. */
const AGAIN: Readonly<Record<string, string>> = {
  "server/checks/admission.ts": `${AGAIN_THERE}; a tool's scope is checked once the tool is known`,
  "server/call.ts": "what a key did is noted once it is done",
  "domain/records/row.ts": "the stored row is read first, the new one is made last",
  "domain/tasks/content.ts":
    "what to add is read from the body, and put into the task inside the transaction",
  "http/route.ts": "a reply that is sent in parts ends when its device is signed out",
  "http/sync.ts": "the reply to a push is written while others go on",
  "web/shared/page.ts": "what a person changed is noted once it is done",
};

/** How many files each job passes, those included that only answer. A reader opens so many at most. */
const MOST: Readonly<Record<string, number>> = {
  "POST /sync": 43,
  "POST /inbox/tabs": 47,
  "GET /tasks?q=": 23,
  "MCP write_note": 49,
  "Revoke a key": 22,
};

/** The file that a return goes into. */
const fileOf = (text: string): string => text.split(" ")[0] ?? "";

const walks = await measured();

test("all five jobs were followed to their end", () => {
  expect(walks.map(({ name }) => name)).toEqual(Object.keys(MOST));
  for (const { files } of walks) expect(files.length).toBeGreaterThan(4);
});

test.each(walks)("$name passes no more files than it did", ({ name, files, asked }) => {
  expect(files.length + asked.length).toBeLessThanOrEqual(MOST[name] ?? 0);
});

test.each(walks)("$name comes back to no file that it has left", ({ returns }) => {
  expect(returns.filter((text) => !Object.hasOwn(AGAIN, fileOf(text)))).toEqual([]);
});

test("every reason still has its return", () => {
  const files = new Set(walks.flatMap(({ returns }) => returns).map(fileOf));
  expect(Object.keys(AGAIN).filter((file) => !files.has(file))).toEqual([]);
});
