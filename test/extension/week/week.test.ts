import { afterAll, beforeAll, expect, test } from "bun:test";
import { CHROMIUM } from "../../support/browser/browser.ts";
import { inFirefox } from "../../support/browser/firefox.ts";
import { testDirectory } from "../../support/server.ts";
import { storedTasks } from "../../support/extension/ask.ts";
import { type Chrome, startChrome, unpack } from "../../support/extension/chrome.ts";
import { type Firefox, startFirefox } from "../../support/extension/firefox.ts";
import { startGate } from "../../support/extension/gate.ts";
import { type Home, startHome } from "../../support/extension/home.ts";
import {
  act,
  randomOf,
  settle,
  type Week,
  type WeekBrowser,
} from "../../support/extension/week.ts";

// A week of Ann's work: two browsers with one account, lines that break, workers that stop, and an agent beside her. A
// whole week are 1,000 saves: WEEK_SAVES=1000 bun test --timeout 3600000 test/extension/week

const SAVES = Number(process.env["WEEK_SAVES"] ?? 40);
const SEED = Number(process.env["WEEK_SEED"] ?? 1);
/** In ms. */
const LONGEST = 120_000 + SAVES * 2_000;

inFirefox.skipIf(CHROMIUM === null)("Ann's week", () => {
  let home: Home;
  let chrome: Chrome;
  let firefox: Firefox;
  let week: Week;
  const [data, profile] = [testDirectory(), testDirectory()];
  const folders = { chrome: testDirectory(), firefox: testDirectory() };

  beforeAll(async () => {
    home = await startHome(data);
    unpack(folders.chrome);
    unpack(folders.firefox, "firefox");
    chrome = await startChrome(folders.chrome, profile);
    firefox = await startFirefox(folders.firefox);
    const random = randomOf(SEED);
    const inChrome: WeekBrowser = {
      name: "Chromium",
      page: await chrome.open("options.html"),
      gate: startGate(home.url),
      restart: async () => {
        if (random(3) > 0) return chrome.stopWorker();
        await chrome.close();
        chrome = await startChrome(folders.chrome, profile);
        inChrome.page = await chrome.open("options.html");
      },
    };
    const inFox: WeekBrowser = {
      name: "Firefox",
      page: await firefox.open("options.html", "#address"),
      gate: startGate(home.url),
      restart: () => firefox.stopEventPage(),
    };
    await home.signIn(chrome, inChrome.gate.url);
    await home.signIn(firefox.asChrome(inFox.page), inFox.gate.url);
    const count = { saves: 0, reopenings: 0, restarts: 0, agent: 0 };
    week = { home, browsers: [inChrome, inFox], random, saved: new Set(), count, pages: 0 };
  });
  afterAll(async () => {
    await chrome.close();
    await firefox.browser.close();
    for (const { gate } of week.browsers) await gate.stop();
    await home.end();
  });

  test(
    "ends with both browsers and the server equal, and with every page that was saved",
    async () => {
      while (week.count.saves < SAVES) await act(week);
      await settle(week);
      const { changes } = await home.api("GET", "/sync");
      const onServer = (changes.sync_tasks as readonly Row[]).map(
        ({ id, payload, deleted_at }) => ({
          id,
          payload,
          deletedAt: deleted_at,
        }),
      );
      for (const { page } of week.browsers) {
        const stored = await storedTasks(page);
        expect(stored.filter(({ waits }) => waits)).toEqual([]);
        expect(stored.map(({ id, payload, deletedAt }) => ({ id, payload, deletedAt }))).toEqual(
          onServer.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
        );
      }
      const urls = onServer.flatMap(({ payload }) => (payload.pages ?? []).map(({ url }) => url));
      expect([...week.saved].filter((url) => !urls.includes(url))).toEqual([]);
      const groups = onServer.flatMap(({ payload }) => {
        const known = (payload.groups ?? []).map(({ id }) => id);
        return (payload.pages ?? []).flatMap(({ group }) =>
          group && !known.includes(group) ? [group] : [],
        );
      });
      expect(groups).toEqual([]);
      process.stdout.write(
        `Seed ${SEED}: ${JSON.stringify(week.count)}, ${onServer.length} tasks, ${urls.length} tabs\n`,
      );
    },
    LONGEST,
  );
});

type Row = {
  readonly id: string;
  readonly deleted_at: string | null;
  readonly payload: {
    readonly pages?: readonly { readonly url: string; readonly group?: string }[];
    readonly groups?: readonly { readonly id: string }[];
  };
};
