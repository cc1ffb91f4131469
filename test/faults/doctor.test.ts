import { expect } from "bun:test";
import { cpSync } from "node:fs";
import { freshServer } from "../support/browser/person.ts";
import { DOCKET } from "../support/docket.ts";
import { MOUNT, testWith } from "../support/faults/needs.ts";
import { mountStorage } from "../support/faults/storage.ts";
import { makeCredentials } from "../support/process.ts";
import { run } from "../support/program.ts";
import { testDirectory } from "../support/server.ts";

testWith(MOUNT, "docket doctor finds a full disk, and one that is read-only", async () => {
  const data = testDirectory();
  await makeCredentials(data);
  const storage = mountStorage(400);
  cpSync(data, storage.directory, { recursive: true });
  const problems = async (): Promise<Readonly<Record<string, string>>> => {
    const { out } = await run(DOCKET, ["doctor", "--json", "--data", storage.directory]);
    const found = JSON.parse(out) as readonly Readonly<Record<string, string>>[];
    return Object.fromEntries(
      found.filter(({ state }) => state === "problem").map((one) => [one["about"], one["found"]]),
    );
  };
  expect(await problems()).toEqual({});
  storage.fill();
  expect(await problems()).toEqual({
    database: `The disk is full, so Docket cannot write in ${storage.directory}. Free some space there, and try again.`,
    space: expect.stringMatching(/^\d MB of \d+ MB are free/),
  });
  storage.makeRoom();
  storage.remount("ro");
  expect(Object.keys(await problems())).toContain("access");
  storage.remount("rw");
});

testWith(
  MOUNT,
  "docket doctor says why a server that runs on a full disk is not ready",
  async () => {
    // On a disk this small, the file system keeps next to nothing back.
    const { directory, fill } = mountStorage(12);
    await makeCredentials(directory);
    // It has stored the code with which somebody becomes its owner. Without space for that, it does not start.
    const { server } = await freshServer(["--log", "off"], directory);
    fill();
    const { port } = new URL(server.url);
    const { out } = await run(DOCKET, ["doctor", "--json", "--data", directory, "--port", port]);
    expect(JSON.parse(out)).toContainEqual({
      about: "server",
      state: "problem",
      found: `The server at http://127.0.0.1:${port} is not ready: The database can be read right now, but not written.`,
      mend: "Look at the disk, and at the server's log.",
    });
    await server.stop("SIGKILL");
  },
);
