import { beforeAll, expect, test } from "bun:test";
import type { Page } from "puppeteer-core";
import { ask, type Stored, storedTasks } from "../../support/extension/ask.ts";
import { until, useHome } from "../../support/extension/home.ts";
import type { Step } from "../../support/extension/steps.ts";
import { type Extended, inChromium, useBrowser } from "../../support/extension/browsers.ts";

/** In ms. Each step is a stop and a start of the worker. */
const LONGEST = 240_000;

inChromium("the worker is stopped at each step of", (start) => {
  const home = useHome();
  const browser = useBrowser(start);
  let page: Page;
  beforeAll(async () => {
    page = browser.page;
    await browser.signIn(home);
    await until(() => page.evaluate("chrome.alarms.get('pull')"), Boolean);
  });

  /** Opens tabs in the background, and returns the browser's numbers of them. */
  const openTabs = async (name: string): Promise<readonly number[]> => {
    const urls = ["a", "b"].map((one) => new URL(`${name}-${one}`, home.web).href);
    const ids = (await page.evaluate(`Promise.all(${JSON.stringify(urls)}.map(
      (url) => chrome.tabs.create({ url, active: false }))).then((tabs) => tabs.map(({ id }) => id))`)) as readonly number[];
    await until(
      () => pathsOpen(page, name),
      (open) => open.length === 2,
    );
    return ids;
  };
  const onServer = async (title: string): Promise<readonly (readonly string[])[]> => {
    const { changes } = await home.api("GET", "/sync");
    return (changes.sync_tasks as readonly (Stored & { readonly deleted_at: string | null })[])
      .filter(({ payload, deleted_at: gone }) => gone === null && payload["title"] === title)
      .map(({ payload }) => namesIn(payload));
  };
  const here = async (title: string): Promise<readonly Stored[]> =>
    (await storedTasks(page)).filter(
      ({ payload, deletedAt }) => deletedAt === null && payload["title"] === title,
    );
  let count = 0;
  const next = (name: string): string => `${name}-${(count += 1)}`;
  /** Asks for something that is stopped at a step. Asks again as the extension's pages do. */
  const askStopped = async (step: Step, kind: string, request: unknown) => {
    await page.evaluate(LISTEN);
    await browser.holdAt(step);
    const key = crypto.randomUUID();
    const first = ask(page, kind, request, key).catch(() => undefined);
    const settled = async () => {
      await first;
      // What follows the answer has steps too.
      await until(
        () => storedTasks(page),
        (all) => all.every(({ waits }) => !waits),
      );
      await Bun.sleep(150);
      return null;
    };
    const at = (await Promise.race([page.evaluate("reached"), settled()])) as string | null;
    // Also if it was done before it came to that step: a new worker has no steps.
    await browser.stop();
    const reply = (await first) ?? (await ask(page, kind, request, key));
    return { at, reply };
  };

  test(
    "saving and closing: tabs are saved once, and closed",
    async () => {
      await eachStep(
        browser,
        [...KINDS, "alarms.create", "storage.local.set", "storage.session.set", "tabs.remove"],
        async (step) => {
          const title = next("saved");
          const tabIds = await openTabs(title);
          const { at, reply } = await askStopped(step, "save", save(title, tabIds));
          expect([at, reply]).toMatchObject([
            at,
            { kind: "done", report: { label: `2 tabs saved to “${title}”` } },
          ]);
          expect([at, (await here(title)).map(({ payload }) => namesIn(payload))]).toEqual([
            at,
            [[`${title}-a`, `${title}-b`]],
          ]);
          await until(
            () => pathsOpen(page, title),
            (open) => open.length === 0,
          );
          await ask(page, "sync");
          expect([at, await onServer(title)]).toEqual([at, [[`${title}-a`, `${title}-b`]]]);
          return at;
        },
      );
    },
    LONGEST,
  );

  test(
    "taking a save back: the task goes, and each tab is open once",
    async () => {
      await eachStep(browser, [...KINDS, "tabs.create", "storage.local.remove"], async (step) => {
        const title = next("undone");
        const tabIds = await openTabs(title);
        await ask(page, "save", save(title, tabIds));
        const { at, reply } = await askStopped(step, "undo", null);
        expect([at, reply]).toMatchObject([at, { kind: "done" }]);
        const open = await until(
          () => pathsOpen(page, title),
          (found) => found.length >= 2,
        );
        expect([at, open]).toEqual([at, [`${title}-a`, `${title}-b`]]);
        expect([at, await here(title)]).toEqual([at, []]);
        await ask(page, "sync");
        expect([at, await onServer(title)]).toEqual([at, []]);
        await page.evaluate(closing(title));
        return at;
      });
    },
    LONGEST,
  );

  test(
    "opening tabs again: each is open once, in its group",
    async () => {
      const tabIds = await openTabs("opened");
      await page.evaluate(
        `chrome.tabs.group({ tabIds: ${JSON.stringify(tabIds)} }).then((id) =>
        chrome.tabGroups.update(id, { title: "Fjords", color: "cyan" }))`,
      );
      const reply = await ask<{ report: { taskId: string } }>(page, "save", save("opened", tabIds));
      const request = { taskId: reply.report.taskId, names: null, where: "here" };
      // Otherwise the first stop could be one of that, and only an alarm, much later, would go on with it.
      await ask(page, "sync");
      await eachStep(
        browser,
        ["alarms.create", "storage.session.set", "tabs.create", "tabs.group"],
        async (step) => {
          const { at, reply: report } = await askStopped(step, "reopen", request);
          expect([at, report]).toMatchObject([at, { kind: "done", report: { opened: 2 } }]);
          const open = await until(
            () => pathsOpen(page, "opened"),
            (found) => found.length >= 2,
          );
          expect([at, open]).toEqual([at, ["opened-a", "opened-b"]]);
          expect([at, await page.evaluate(GROUPS)]).toEqual([at, ["Fjords cyan 2"]]);
          // A tab that is put to sleep gets another number, so one may be missed.
          await until(
            async () => {
              await page.evaluate(closing("opened"));
              return pathsOpen(page, "opened");
            },
            (left) => left.length === 0,
          );
          return at;
        },
      );
    },
    LONGEST,
  );

  test(
    "syncing, while an agent files a tab: nothing is lost, nothing is there twice",
    async () => {
      const { id } = await home.agent("POST", "/tasks", { title: "shared" });
      const names: string[] = [];
      await eachStep(browser, KINDS, async (step) => {
        await ask(page, "sync");
        const [mine, agents] = [next("mine"), next("agents")];
        names.push(mine, agents);
        const url = (name: string) => new URL(name, home.web).href;
        await home.kill();
        const saved = { kind: "link", url: url(mine), title: null };
        await ask(page, "save", { saved, place: { kind: "task", id }, close: false });
        await home.startAgain();
        await home.agent("POST", `/tasks/${id}/tabs`, [{ url: url(agents) }]);
        const { at } = await askStopped(step, "sync", null);
        await ask(page, "sync");
        expect([at, (await onServer("shared")).map((all) => all.toSorted())]).toEqual([
          at,
          [names.toSorted()],
        ]);
        expect([
          at,
          (await here("shared")).map(({ payload }) => namesIn(payload).toSorted()),
        ]).toEqual([at, [names.toSorted()]]);
        return at;
      });
    },
    LONGEST,
  );
});

/**
 * Goes through the steps of something: the first of each of these kinds, and then by their numbers, until it ends before
 * it came to one.
 */
const eachStep = async (
  { stride }: Extended,
  kinds: readonly string[],
  walk: (step: Step) => Promise<string | null>,
): Promise<void> => {
  for (const kind of kinds) expect(await walk(kind)).toBe(kind);
  let steps = 1;
  while ((await walk(steps)) !== null) steps += stride;
  expect(steps).toBeGreaterThan(15);
};

/** Those that change something outside the worker, and those that wait for the server. */
const KINDS = ["end of a transaction", "fetch"];

const LISTEN = `globalThis.reached = new Promise((resolve) => {
  globalThis.ear?.close();
  globalThis.ear = new BroadcastChannel("test steps");
  ear.onmessage = ({ data }) => resolve(data);
}), 0`;

const namesIn = ({ pages }: Readonly<Record<string, unknown>>): readonly string[] =>
  ((pages ?? []) as readonly { readonly url: string }[]).map(({ url }) =>
    new URL(url).pathname.slice(1),
  );

/** The names of the pages that are open, of those that begin with a name. */
const pathsOpen = async (page: Page, name: string): Promise<readonly string[]> => {
  const urls = (await page.evaluate(
    "chrome.tabs.query({}).then((tabs) => tabs.map(({ url, pendingUrl }) => url || pendingUrl))",
  )) as readonly string[];
  const paths = urls.map((url) => URL.parse(url)?.pathname.slice(1) ?? "");
  return paths.filter((path) => path.startsWith(`${name}-`)).toSorted();
};

const closing = (name: string): string =>
  `chrome.tabs.query({}).then((tabs) => Promise.all(tabs
    .filter(({ url, pendingUrl }) => (url || pendingUrl).includes("/${name}-"))
    .map(({ id }) => chrome.tabs.remove(id).catch(() => {}))))`;

const GROUPS = `(async () => {
  const groups = await chrome.tabGroups.query({});
  return Promise.all(groups.map(async ({ id, title, color }) =>
    title + " " + color + " " + (await chrome.tabs.query({ groupId: id })).length));
})()`;

const save = (name: string, tabIds: readonly number[]) => ({
  saved: { kind: "tabs", tabIds },
  place: { kind: "new", title: name },
  close: true,
});
