import { afterAll, beforeAll, expect, test } from "bun:test";
import { testDirectory } from "../../support/server.ts";
import { ask } from "../../support/extension/ask.ts";
import { type Extended, inEachBrowser } from "../../support/extension/browsers.ts";
import { type Home, record, startHome, until } from "../../support/extension/home.ts";

inEachBrowser("tab groups in the window of a task", (start) => {
  let home: Home;
  let extended: Extended;
  let windowId: number;
  const [data, folder, profile] = [testDirectory(), testDirectory(), testDirectory()];

  beforeAll(async () => {
    home = await startHome(data);
    await push({ groups: [{ id: "fjords", title: "Fjords", colour: "cyan" }], pages: pages() });
    extended = await start(folder, profile);
    await extended.signIn(home);
    await ask(extended.page, "sync");
    expect(await ask(extended.page, "window", "norway")).toEqual({ kind: "done", report: null });
    const { windows } = await run<{ windows: readonly { windowId: number }[] }>(
      "chrome.storage.session.get('windows')",
    );
    windowId = windows[0]?.windowId ?? 0;
  });
  afterAll(async () => {
    await extended.close();
    await home.end();
  });

  const run = <T>(code: string) => extended.page.evaluate(code) as Promise<T>;
  const at = (path: string): string => new URL(path, home.web).href;
  const pages = () => [
    { id: "oslo", title: "Oslo", url: at("Oslo") },
    { id: "bergen", title: "Bergen", url: at("Bergen"), group: "fjords" },
    { id: "flam", title: "Flam", url: at("Flam"), group: "fjords" },
  ];
  /** Changes the task as another device does. */
  const push = (fields: Partial<Payload>) =>
    home.api("POST", "/sync", [
      record("sync_tasks", "norway", { title: "Norway", status: "todo", notes: [], ...fields }),
    ]);
  const payload = async (): Promise<Payload> =>
    (await home.api("GET", "/sync")).changes.sync_tasks[0].payload;
  /** The groups of the task as the server has them, each with its tabs. */
  const saved = async (): Promise<readonly Seen[]> => {
    const task = await payload();
    return task.groups.map(({ id, title, colour }) => ({
      look: `${title} ${colour}`,
      tabs: task.pages.filter(({ group }) => group === id).map(({ title: name }) => name),
    }));
  };
  /** The groups of the window, each with its tabs. */
  const shown = () =>
    run<readonly Seen[]>(`(async () => {
      const groups = await chrome.tabGroups.query({ windowId: ${windowId} });
      const tabs = await chrome.tabs.query({ windowId: ${windowId} });
      const nameOf = ({ url, pendingUrl }) => new URL(pendingUrl || url).pathname.slice(1);
      return groups.map(({ id, title, color }) => ({
        look: title + " " + color,
        tabs: tabs.filter(({ groupId }) => groupId === id).map(nameOf),
      }));
    })()`);
  const inWindow = (code: string) =>
    run(`(async () => {
      const [group] = await chrome.tabGroups.query({ windowId: ${windowId} });
      const tabs = await chrome.tabs.query({ windowId: ${windowId} });
      const numberOf = (name) => tabs.find(({ url }) => url.endsWith("/" + name)).id;
      ${code}
    })()`);
  const both = async (wanted: readonly Seen[]): Promise<void> => {
    const isWanted = (seen: readonly Seen[]) => JSON.stringify(seen) === JSON.stringify(wanted);
    await until(saved, isWanted);
    await until(shown, isWanted);
  };

  test("open with their names and colours", async () => {
    await both([{ look: "Fjords cyan", tabs: ["Bergen", "Flam"] }]);
  });

  test("are renamed in the task when they are renamed in the window", async () => {
    await inWindow(`await chrome.tabGroups.update(group.id, { title: "Coast", color: "red" });`);
    await both([{ look: "Coast red", tabs: ["Bergen", "Flam"] }]);
  });

  test("are renamed in the window when another device renames them", async () => {
    const { pages: tabs, groups } = await payload();
    await push({ pages: tabs, groups: groups.map((one) => ({ ...one, title: "West" })) });
    await ask(extended.page, "sync");
    await both([{ look: "West red", tabs: ["Bergen", "Flam"] }]);
  });

  test("are collapsed in the task when they are in the window, and the other way round", async () => {
    await inWindow(`await chrome.tabGroups.update(group.id, { collapsed: true });`);
    await until(payload, ({ groups }) => groups[0]?.collapsed === true);
    const { pages: tabs, groups } = await payload();
    await push({ pages: tabs, groups: groups.map((one) => ({ ...one, collapsed: false })) });
    await ask(extended.page, "sync");
    await until(
      () => run<readonly { collapsed: boolean }[]>("chrome.tabGroups.query({})"),
      ([one]) => one?.collapsed === false,
    );
  });

  test("leave pinned tabs pinned, on both sides", async () => {
    await inWindow(`await chrome.tabs.update(numberOf("Oslo"), { pinned: true });`);
    await until(payload, isOsloPinned);
    const { pages: tabs, groups } = await payload();
    await push({ groups, pages: tabs.map((one) => ({ ...one, pinned: false })) });
    await ask(extended.page, "sync");
    await until(
      () => run<readonly unknown[]>("chrome.tabs.query({ pinned: true })"),
      (pinned) => pinned.length === 0,
    );
    expect(isOsloPinned(await payload())).toBe(false);
  });

  test("take in a tab that is opened there, and one that is put there", async () => {
    await inWindow(`
      const made = await chrome.tabs.create({ windowId: ${windowId}, url: "${at("Voss")}" });
      await chrome.tabs.group({ groupId: group.id, tabIds: [made.id, numberOf("Oslo")] });
    `);
    await until(saved, ([one]) => one?.tabs.length === 4);
    await until(shown, ([one]) => one?.tabs.length === 4);
  });

  test("let a tab go, wherever it is taken out", async () => {
    await inWindow(`await chrome.tabs.ungroup([numberOf("Oslo")]);`);
    await until(saved, ([one]) => one?.tabs.includes("Oslo") === false);
    const { pages: tabs, groups } = await payload();
    await push({
      groups,
      pages: tabs.map(({ group, ...one }) =>
        one.title === "Voss" || group === undefined ? one : { ...one, group },
      ),
    });
    await ask(extended.page, "sync");
    await both([{ look: "West red", tabs: ["Bergen", "Flam"] }]);
  });

  test("keep the name that they get as soon as they are made in the window", async () => {
    const named = run(`new Promise((resolve) => {
      const rename = async ({ id, title }) => {
        if (title !== "East") return;
        chrome.tabGroups.onUpdated.removeListener(rename);
        await chrome.tabGroups.update(id, { title: "South", color: "pink" });
        resolve();
      };
      chrome.tabGroups.onUpdated.addListener(rename);
    })`);
    const { pages: tabs, groups } = await payload();
    await push({
      groups: [...groups, { id: "east", title: "East", colour: "blue" }],
      pages: tabs.map((one) => (one.title === "Voss" ? { ...one, group: "east" } : one)),
    });
    await ask(extended.page, "sync");
    await named;
    await until(saved, isVossInSouth);
    await until(shown, isVossInSouth);
  });

  test("are made in the task, although the worker is stopped at once", async () => {
    await inWindow(`
      const tabIds = [numberOf("Oslo"), numberOf("Voss")];
      await chrome.tabs.group({ tabIds, createProperties: { windowId: ${windowId} } });
    `);
    await extended.stop();
    await ask(extended.page, "sync");
    await until(saved, (groups) =>
      groups.some(({ tabs }) => tabs.includes("Oslo") && tabs.includes("Voss")),
    );
  });
});

const isOsloPinned = ({ pages }: Payload): boolean =>
  pages.some(({ id, pinned = false }) => id === "oslo" && pinned);

const isVossInSouth = (groups: readonly Seen[]): boolean =>
  groups.some(({ look, tabs }) => look === "South pink" && tabs.join() === "Voss");

type Seen = { readonly look: string; readonly tabs: readonly string[] };

type Payload = {
  readonly groups: readonly {
    readonly id: string;
    readonly title: string;
    readonly colour: string;
    readonly collapsed?: boolean;
  }[];
  readonly pages: readonly {
    readonly id: string;
    readonly title: string;
    readonly url: string;
    readonly group?: string;
    readonly pinned?: boolean;
  }[];
};
