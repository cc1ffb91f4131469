import { beforeAll, describe, expect, test } from "bun:test";
import { realpathSync } from "node:fs";
import { join } from "node:path";
import { seed, times } from "../_histories.ts";
import { newLedger } from "../_load.ts";
import { makeCredentials } from "../_process.ts";
import { dice } from "../_random.ts";
import { directoryForTest } from "../db/_store.ts";
import { testDirectory } from "../_server.ts";
import { cutEverywhere } from "./_cuts.ts";
import { newDisk } from "./_disk.ts";
import { recordLives, type Recorded } from "./_run.ts";
import { type Deed, serveTraced, strace } from "./_trace.ts";

/** A test's name where it can be run, and why it is skipped where not. */
const named = (name: string): string => (strace ? name : `${name}: needs strace`);

const newDirectory = (): string => realpathSync(testDirectory());

const isFrame = (deed: Deed): boolean => deed.do === "write" && deed.file === "docket.db-wal";

/** One of four losses while the log is written, which is most of the time; else all four. */
const losses = (deed: Deed): number => times(isFrame(deed) ? 1 : 4);

describe("a power cut while people and agents work", () => {
  const directory = newDirectory();
  let recorded: Recorded;

  beforeAll(async () => {
    if (!strace) return;
    const credentials = await makeCredentials(directory);
    recorded = await recordLives(directory, newDirectory(), credentials, dice(seed));
  }, 60_000);

  test.skipIf(!strace)(named("comes at every moment of the log's life"), () => {
    const { deeds, ledger } = recorded;
    expect(ledger.surprises).toEqual([]);
    const done = deeds.map((deed) => ("file" in deed ? `${deed.do} ${deed.file}` : deed.do));
    const emptied = done.indexOf("write docket.db");
    expect(emptied).toBeGreaterThan(0);
    // Emptied at work, and written anew from its beginning; then removed at the stop, and made again.
    const removed = done.indexOf("remove docket.db-wal");
    expect(done.slice(emptied, removed)).toContain("write docket.db-wal");
    expect(done.slice(removed)).toContain("open docket.db-wal");
    expect(done.slice(removed)).toContain("reply");
  });

  test.skipIf(!strace)(
    named("loses nothing that was answered, and leaves no push by half"),
    async () => {
      const { tried, failures } = await cutEverywhere(recorded, directoryForTest(), dice(seed), {
        losses,
      });
      expect({ failures: failures.slice(0, 5), seed }).toEqual({ failures: [], seed });
      expect(tried).toBeGreaterThan(1_000);
    },
    120_000 * times(1),
  );

  test.skipIf(!strace)(
    named("loses answered work where the disk only pretends to sync, so the loss would be seen"),
    async () => {
      const { failures } = await cutEverywhere(recorded, directoryForTest(), dice(seed), {
        honest: false,
        losses: (deed) => (deed.do === "reply" ? 1 : 0),
      });
      const said = failures.join("\n");
      expect(said).toContain("was answered in version");
      expect(said).toContain("was filed and is gone");
      expect(said).toContain("is not listed once");
    },
    60_000,
  );
});

test.skipIf(!strace)(
  named("a power cut at any moment of the first start leaves what can be started"),
  async () => {
    const directory = newDirectory();
    const before = newDisk(directory);
    const server = await serveTraced(directory, join(newDirectory(), "trace"));
    await server.stop();
    const deeds = await server.deeds();
    const recorded = { disk: () => structuredClone(before), deeds, ledger: newLedger() };
    const { tried, failures } = await cutEverywhere(recorded, directoryForTest(), dice(seed), {
      losses: () => 2,
    });
    expect({ failures: failures.slice(0, 5), seed }).toEqual({ failures: [], seed });
    expect(tried).toBeGreaterThan(100);
  },
  120_000,
);
