import { expect } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { MOUNT, testWith } from "../../support/faults/needs.ts";
import { mountStorage } from "../../support/faults/storage.ts";
import { testDirectory } from "../../support/server.ts";
import { ask, saveLink } from "../../support/extension/ask.ts";
import { inEachBrowser } from "../../support/extension/browsers.ts";
import { startGate } from "../../support/extension/gate.ts";
import { startHome, until } from "../../support/extension/home.ts";

/** In MB. A new profile of either browser takes less than half of it. */
const DISK = 400;

/** How many links are saved to a full disk at most: a browser may still have some room in files that are there. */
const TRIES = 200;

inEachBrowser("on a disk that is full", (start) => {
  testWith(
    MOUNT,
    "a save is refused with a sentence, and what was saved before is not lost",
    async () => {
      const disk = mountStorage(DISK);
      const profile = join(disk.directory, "profile");
      mkdirSync(profile);
      const home = await startHome(testDirectory());
      const gate = startGate(home.url);
      const browser = await start(testDirectory(), profile);
      await browser.signIn(home, gate.url);
      await ask(browser.page, "sync");
      gate.answer(503, '{"error": "Restarting."}');

      const saved: string[] = [];
      const refused: unknown[] = [];
      const save = async (name: string): Promise<boolean> => {
        const url = `https://example.org/${name}`;
        const reply = await saveLink(browser.page, url, name.repeat(40).slice(0, 480));
        const isSaved = (reply as { readonly kind: string }).kind === "done";
        if (isSaved) saved.push(url);
        else refused.push(reply);
        return isSaved;
      };
      await save("before");
      for (let tries = 0; tries < TRIES; tries += 1) {
        if (tries % 10 === 0) disk.fill();
        if (!(await save(`full-${tries}`))) break;
        disk.makeRoom();
        disk.fill();
      }
      expect(refused).toEqual([
        {
          kind: "failed",
          problem:
            "Your browser has no room left, so this was not saved. Free some space and try again.",
        },
      ]);

      disk.makeRoom();
      expect(await save("after")).toBe(true);
      gate.open();
      await until(
        async () => {
          await ask(browser.page, "sync");
          const { changes } = await home.api("GET", "/sync");
          return urlsIn(changes.sync_tasks);
        },
        (urls) => urls.includes("https://example.org/after"),
      );
      const { changes } = await home.api("GET", "/sync");
      expect(urlsIn(changes.sync_tasks).toSorted()).toEqual(saved.toSorted());
      await browser.close();
      await gate.stop();
      await home.end();
    },
  );
});

type Task = { readonly payload: { readonly pages?: readonly { readonly url: string }[] } };

const urlsIn = (tasks: readonly Task[]): readonly string[] =>
  tasks.flatMap(({ payload }) => (payload.pages ?? []).map(({ url }) => url));
