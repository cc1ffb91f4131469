import { expect } from "bun:test";
import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { nameOfCopy } from "../../src/db/copies.ts";
import { findOwner } from "../../src/db/people/owner.ts";
import { DAY } from "../../src/domain/base/instant.ts";
import { DOCKET } from "../support/docket.ts";
import { overwriteRest } from "../support/faults/damage.ts";
import { MOUNT, testWith } from "../support/faults/needs.ts";
import { mountStorage } from "../support/faults/storage.ts";
import { run, serve } from "../support/program.ts";
import { change } from "../support/replies.ts";
import { startServer, testClock } from "../support/server.ts";
import { setUpCode } from "../support/web/joining.ts";
import { PASSWORD, type Seen, visitor } from "../support/web/visitor.ts";

const OWNER = { email: "owner@example.org", password: PASSWORD };

/** Data of an owner who has a task, written by a machine whose clock is ahead by `ahead` ms. */
const ownedData = async (ahead: number): Promise<string> => {
  const server = await startServer({ clock: testClock(Date.now() + ahead) });
  const code = await setUpCode(server);
  await visitor(server).post("/setup", { code, ...OWNER });
  expect((await findOwner(server.store))?.email).toBe(OWNER.email);
  const ann = await server.person();
  const milk = change("sync_tasks", "milk", { title: "Milk" });
  await server.call("POST", "/sync", { token: ann.session, body: [milk] });
  await server.stop();
  return server.directory;
};

/** Starts the executable and signs its owner in. Returns what shows the owner's page, and what ends it. */
const serving = async (data: string, more: readonly string[]) => {
  const server = await serve(DOCKET, ["--data", data, "--drills", "monthly", ...more]);
  const owner = visitor(server);
  expect((await owner.post("/sign-in", OWNER)).status).toBe(303);
  return { page: () => owner.get("/account/server"), stop: () => server.stop("SIGKILL") };
};

/** Looks at the page until it says something. A server makes its first copy a minute after its start. */
const once = async (page: () => Promise<Seen>, words: string): Promise<Seen> => {
  for (;;) {
    const seen = await page();
    if (seen.text.includes(words)) return seen;
    await Bun.sleep(500);
  }
};

const problemsOn = ({ html }: Seen): readonly string[] =>
  [...html.matchAll(/<(?:p|li) class="problem">(.*?)<\/(?:p|li)>/g)].map(([, inside = ""]) =>
    inside.replaceAll(/<[^>]*>/g, ""),
  );

testWith(
  MOUNT,
  "the owner's page names each fault of a server, and none of a sound one",
  async () => {
    const storage = mountStorage(400);
    cpSync(await ownedData(2 * DAY), storage.directory, { recursive: true });
    const backups = join(storage.directory, "backups");
    mkdirSync(backups);
    const old = join(backups, nameOfCopy("daily", Date.now() - 3 * DAY));
    expect((await run(DOCKET, ["backup", old, "--data", storage.directory])).code).toBe(0);
    overwriteRest(old);
    const ill = await serving(storage.directory, [
      "--backups-s3",
      "http://key:secret@127.0.0.1:9/b",
    ]);
    const well = await serving(await ownedData(0), []);
    storage.fill();

    const sound = await once(well.page, "A restore was tried out with success");
    expect(problemsOn(sound)).toEqual([]);
    expect(sound.text).toContain("nothing to warn of");
    expect(sound.text).toContain("Last backup:");

    const seen = await once(ill.page, "A restore of the newest backup was tried out, and failed");
    const full = `The disk is full, so Docket cannot write in ${backups}. Free some space there, and try again.`;
    expect(problemsOn(seen)).toEqual([
      expect.stringMatching(/^The disk with the data has .* free\. Free some space/),
      `The last backup could not be made. ${full}`,
      "The copies cannot be listed at http://127.0.0.1:9/b: nothing answers there. Check the address and the network. (ConnectionRefused)",
      expect.stringContaining("was tried out, and failed. The disk is full. Free some space"),
      expect.stringMatching(/^Last backup: .*, [\d.]+ KiB\.$/),
    ]);
    expect(seen.text).toContain("this machine's clock is more than a day behind the data");
    expect(seen.text).toContain("the daily backup could not be sent away");
    await ill.stop();
    await well.stop();
  },
);
