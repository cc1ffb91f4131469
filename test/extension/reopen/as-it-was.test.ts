import { afterAll, beforeAll, expect, test } from "bun:test";
import { testDirectory } from "../../support/server.ts";
import { ask } from "../../support/extension/ask.ts";
import { type Extended, inEachBrowser } from "../../support/extension/browsers.ts";
import { type Home, startHome, until } from "../../support/extension/home.ts";

inEachBrowser("a window that is saved and opened again", (start) => {
  let home: Home;
  let extended: Extended;
  const [data, folder, profile] = [testDirectory(), testDirectory(), testDirectory()];

  beforeAll(async () => {
    home = await startHome(data);
    extended = await start(folder, profile);
    await extended.signIn(home);
  });
  afterAll(async () => {
    await extended.close();
    await home.end();
  });

  const run = <T>(code: string) =>
    extended.page.evaluate(`(async () => { ${code} })()`) as Promise<T>;
  const at = (path: string): string => new URL(path, home.web).href;
  /** Opens a window with tabs and groups of them, given by the places of their tabs. Returns the window's number. */
  const openWindow = async (
    paths: readonly string[],
    groups: readonly (Look & { readonly places: readonly number[] })[],
    pinned = 0,
  ): Promise<number> => {
    const windowId = await run<number>(`
      const { id } = await chrome.windows.create({ url: ${JSON.stringify(paths.map(at))} });
      const tabs = await chrome.tabs.query({ windowId: id });
      for (const tab of tabs.slice(0, ${pinned})) await chrome.tabs.update(tab.id, { pinned: true });
      for (const { places, ...look } of ${JSON.stringify(groups)}) {
        const tabIds = places.map((place) => tabs[place].id);
        const group = await chrome.tabs.group({ tabIds, createProperties: { windowId: id } });
        await chrome.tabGroups.update(group, look);
      }
      return id;`);
    await until(
      () => stripOf(windowId),
      (strip) => strip.every(({ path }, place) => path === paths[place]),
    );
    return windowId;
  };
  const stripOf = (windowId: number) =>
    run<readonly Seen[]>(`
      const tabs = await chrome.tabs.query({ windowId: ${windowId} });
      const groups = await chrome.tabGroups.query({ windowId: ${windowId} });
      return tabs.map(({ url, pendingUrl, groupId, pinned }) => {
        const at = groups.findIndex(({ id }) => id === groupId);
        const { title, color, collapsed } = groups[at] ?? {};
        const path = new URL(pendingUrl || url).pathname.slice(1);
        return { path, pinned, group: at < 0 ? null : [at, title, color, collapsed].join(" ") };
      });`);
  const save = async (windowId: number, title: string): Promise<string> => {
    const tabIds = await run(
      `return (await chrome.tabs.query({ windowId: ${windowId} })).map(({ id }) => id);`,
    );
    const { report } = await ask<{ readonly report: { readonly taskId: string } }>(
      extended.page,
      "save",
      { saved: { kind: "tabs", tabIds }, place: { kind: "new", title }, close: true },
    );
    return report.taskId;
  };
  const windows = () =>
    run<readonly number[]>(`return (await chrome.windows.getAll()).map(({ id }) => id);`);
  /** Opens all tabs of a task in a new window. Returns its number. */
  const reopen = async (taskId: string, kind: "reopen" | "window"): Promise<number> => {
    const before = await windows();
    const request = kind === "window" ? taskId : { taskId, names: null, where: "window" };
    expect(await ask(extended.page, kind, request)).toMatchObject({ kind: "done" });
    return (await windows()).find((id) => !before.includes(id)) ?? 0;
  };

  for (const kind of ["reopen", "window"] as const)
    test(`has its pinned tabs, its collapsed group, and two groups of one name (${kind})`, async () => {
      const trip = { title: "Trip", color: "cyan" };
      const paths = ["Mail", "Oslo", "Bergen", "Rome", "Naples", "Last"];
      const windowId = await openWindow(
        paths,
        [
          { ...trip, collapsed: false, places: [1, 2] },
          { ...trip, collapsed: true, places: [3, 4] },
        ],
        1,
      );
      const before = await stripOf(windowId);
      expect(before.map(({ group }) => group)).toEqual([
        null,
        "0 Trip cyan false",
        "0 Trip cyan false",
        "1 Trip cyan true",
        "1 Trip cyan true",
        null,
      ]);
      const taskId = await save(windowId, `Two trips ${kind}`);
      // The pinned tab stays open.
      await until(
        () => stripOf(windowId),
        (strip) => strip.length === 1,
      );
      await run(`await chrome.windows.remove(${windowId});`);
      const again = await reopen(taskId, kind);
      await until(
        () => stripOf(again),
        (strip) => JSON.stringify(strip) === JSON.stringify(before),
      );
      await run(`await chrome.windows.remove(${again});`);
    });
});

type Look = { readonly title: string; readonly color: string; readonly collapsed: boolean };

type Seen = { readonly path: string; readonly pinned: boolean; readonly group: string | null };
