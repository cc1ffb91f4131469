import type { Page } from "puppeteer-core";
import { ask as askOnce } from "./ask.ts";
import type { Gate } from "./gate.ts";
import { type Home, until } from "./home.ts";

/** One of Ann's browsers during her week. */
export type WeekBrowser = {
  readonly name: string;
  /** A page of the extension. Another one after a restart. */
  page: Page;
  /** What stands between this browser and the server. */
  readonly gate: Gate;
  /** Stops the worker or event page, or the whole browser. */
  readonly restart: () => Promise<void>;
};

/** Makes the same numbers from the same seed: each from 0 to below `limit`. */
export type Random = (limit: number) => number;

export const randomOf = (seed: number): Random => {
  let state = seed;
  return (limit) => {
    // A linear congruential generator with the constants of "Numerical Recipes".
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
};

/** Asks as the extension's own pages do: again with the same key, if the worker was stopped before it answered. */
const ask = async <T>(
  page: Page,
  kind: string,
  request: unknown = null,
  key: string = crypto.randomUUID(),
): Promise<T | undefined> => {
  for (let tries = 0; tries < 20; tries += 1) {
    const reply = await askOnce<T | undefined>(page, kind, request, key).catch(() => undefined);
    if (reply !== undefined) return reply;
    // The browser is about to start the worker again.
    await Bun.sleep(100);
  }
  return undefined;
};

/** What Ann and her agent did, and what must be there in the end. */
export type Week = {
  readonly home: Home;
  readonly browsers: readonly WeekBrowser[];
  readonly random: Random;
  /** The addresses of all pages that were saved, or filed by the agent. */
  readonly saved: Set<string>;
  readonly count: { saves: number; reopenings: number; restarts: number; agent: number };
  pages: number;
};

type Task = { readonly id: string; readonly title: string };

/** One browser does something, and now and then the agent does, or a line breaks. */
export const act = async (week: Week): Promise<void> => {
  const { browsers, random } = week;
  const browser = browsers[random(browsers.length)] as WeekBrowser;
  const dice = random(125);
  if (dice < 100) await saveSomething(week, browser);
  else if (dice < 120) await reopenSomething(week, browser);
  else {
    week.count.restarts += 1;
    await browser.restart();
  }
  if (random(6) === 0) await agentWorks(week);
  if (random(25) === 0) breakLine(week);
  if (random(8) === 0) await sync(browser);
};

/** The line is there again, and the browser syncs. */
const sync = async ({ gate, page }: WeekBrowser): Promise<void> => {
  gate.open();
  await ask(page, "sync");
};

const tasksOf = async ({ home }: Week): Promise<readonly Task[]> =>
  (await home.api("GET", "/tasks?limit=200")).tasks;

const GROUPS = ["Travel blue", "Work red", "Reading green"];

const saveSomething = async (week: Week, browser: WeekBrowser): Promise<void> => {
  const { random, saved, count } = week;
  const place = await placeFor(week);
  count.saves += 1;
  if (random(3) > 0) {
    const url = newPage(week);
    await mustSave(browser, { saved: { kind: "link", url, title: null }, place, close: false });
    saved.add(url);
    return;
  }
  const urls = Array.from({ length: 1 + random(3) }, () => newPage(week));
  const group = random(3) === 0 ? (GROUPS[random(GROUPS.length)] ?? null) : null;
  const tabIds = (await browser.page.evaluate(openTabs(urls, group))) as readonly number[];
  await mustSave(browser, { saved: { kind: "tabs", tabIds }, place, close: true });
  for (const url of urls) saved.add(url);
};

const newPage = (week: Week): string => {
  week.pages += 1;
  return new URL(`page-${week.pages}`, week.home.web).href;
};

/** Opens tabs that have their addresses, in a group if it has a name. */
const openTabs = (urls: readonly string[], group: string | null): string => {
  const [title, color] = group?.split(" ") ?? [];
  return `(async () => {
    const tabIds = [];
    for (const url of ${JSON.stringify(urls)})
      tabIds.push((await chrome.tabs.create({ url, active: false })).id);
    for (const id of tabIds)
      for (let tries = 0; tries < 100; tries += 1) {
        const { url } = await chrome.tabs.get(id);
        if (url.startsWith("http")) break;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    if (${group !== null}) {
      const groupId = await chrome.tabs.group({ tabIds });
      await chrome.tabGroups.update(groupId, ${JSON.stringify({ title, color })});
    }
    return tabIds;
  })()`;
};

const placeFor = async (week: Week): Promise<object> => {
  const { random, count } = week;
  const dice = random(10);
  if (dice < 3) return { kind: "inbox" };
  if (dice < 5) return { kind: "last" };
  const tasks = dice < 9 ? await tasksOf(week) : [];
  const task = tasks[random(Math.max(1, Math.min(tasks.length, 12)))];
  return task ? { kind: "task", id: task.id } : { kind: "new", title: `Task ${count.saves}` };
};

type Reply = { readonly kind: string; readonly problem?: string };

const mustSave = async (browser: WeekBrowser, request: object): Promise<void> => {
  const { page } = browser;
  let reply = await ask<Reply>(page, "save", request);
  // The other browser has made the task, and this one has not heard of it.
  if (reply?.problem?.includes("no longer there")) {
    await sync(browser);
    reply = await ask<Reply>(page, "save", request);
  }
  if (reply?.kind !== "done") throw new Error(`Not saved: ${JSON.stringify(reply)}`);
};

const reopenSomething = async (week: Week, browser: WeekBrowser): Promise<void> => {
  const { random, count } = week;
  const tasks = (await browser.page.evaluate(TASKS_WITH_TABS)) as readonly { id: string }[];
  const task = tasks[random(Math.max(1, tasks.length))];
  if (!task) return;
  const where = ["group", "here", "window"][random(3)];
  // The first ones alone: a task may have hundreds by the end of the week.
  const names = (task as { readonly names?: readonly string[] }).names?.slice(0, 1 + random(3));
  await ask(browser.page, "reopen", { taskId: task.id, names, where });
  await browser.page.evaluate(CLOSE_PAGES);
  count.reopenings += 1;
};

const AGENT_NOTES = 3;

const agentWorks = async (week: Week): Promise<void> => {
  const { home, random, saved } = week;
  week.count.agent += 1;
  const tasks = await tasksOf(week);
  const task = tasks[random(Math.max(1, Math.min(tasks.length, 12)))];
  const url = newPage(week);
  if (task && random(3) === 0) {
    await home.agent("PATCH", `/tasks/${task.id}`, { colour: `colour-${random(9)}` });
    if (random(AGENT_NOTES) === 0)
      await home.agent("POST", `/tasks/${task.id}/notes`, { text: `A note ${week.pages}` });
    return;
  }
  const path = task && random(2) === 0 ? `/tasks/${task.id}/tabs` : "/inbox/tabs";
  const filed = await home.agent("POST", path, [{ url }]);
  if (filed.error === undefined) saved.add(url);
};

/** The replies to a browser's next pushes are lost, or its pushes are. Later the line is there again. */
const breakLine = ({ browsers, random }: Week): void => {
  const { gate } = browsers[random(browsers.length)] as WeekBrowser;
  const dice = random(3);
  if (dice === 0) gate.close();
  else if (dice === 1) gate.holdReplies();
  else gate.open();
};

const ROWS = `new Promise((resolve, reject) => {
  chrome.storage.local.get("connection").then(({ connection }) => {
    const opening = indexedDB.open("docket " + connection.server + " " + connection.account.id);
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const db = opening.result;
      const reading = db.transaction("rows").objectStore("rows").getAll();
      reading.onerror = () => reject(reading.error);
      reading.onsuccess = () => {
        db.close();
        resolve(reading.result);
      };
    };
  });
})`;

const TASKS_WITH_TABS = `${ROWS}.then((rows) => rows.flatMap(({ table, id, edit, server }) => {
  const { payload, deletedAt } = edit ?? server;
  const names = (payload.pages ?? []).flatMap((page) => page.id ?? []);
  return table === "sync_tasks" && deletedAt === null && names.length > 0 ? [{ id, names }] : [];
}))`;

/** Closes what was opened: all tabs that show a page of the web. */
const CLOSE_PAGES = `(async () => {
  for (let tries = 0; tries < 50; tries += 1) {
    const tabs = await chrome.tabs.query({});
    const pages = tabs.filter((tab) => (tab.url || tab.pendingUrl || "").startsWith("http"));
    if (pages.length === 0 && tries > 0) return;
    await chrome.tabs.remove(pages.map(({ id }) => id)).catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
})()`;

/** Opens every line, and syncs until nothing waits anywhere and nothing is new. */
export const settle = async ({ browsers }: Week): Promise<void> => {
  for (const { gate } of browsers) gate.open();
  await until(
    async () => {
      for (const { page } of [...browsers, ...browsers]) await ask(page, "sync");
      const waiting = await Promise.all(
        browsers.map(({ page }) =>
          page.evaluate(`${ROWS}.then((rows) => rows.filter(({ edit }) => edit).length)`),
        ),
      );
      return waiting as readonly number[];
    },
    (waiting) => waiting.every((count) => count === 0),
  );
  for (const { page } of browsers) await ask(page, "sync");
};
