import { afterAll, beforeAll, expect, test } from "bun:test";
import { testDirectory } from "../../support/server.ts";
import { type Extended, inEachBrowser } from "../../support/extension/browsers.ts";
import { type Home, startHome, until } from "../../support/extension/home.ts";

/** Lets the alarm ring. */
const RING = `(globalThis.chrome ?? browser).alarms.create("back up", { when: Date.now() + 50 })`;
const COPIES = `chrome.storage.local.get("windows").then(({ windows = [] }) => windows)`;

type Copy = {
  readonly at: number;
  readonly windows: readonly { readonly tabs: readonly { readonly title: string }[] }[];
};

inEachBrowser("copies of all windows", (start) => {
  let home: Home;
  let extended: Extended;
  const [data, folder, profile] = [testDirectory(), testDirectory(), testDirectory()];
  beforeAll(async () => {
    home = await startHome(data);
    extended = await start(folder, profile);
  });
  afterAll(async () => {
    await extended.close();
    await home.end();
  });

  const inPage = <T>(code: string): Promise<T> => extended.page.evaluate(code) as Promise<T>;
  const at = (path: string): string => new URL(path, home.web).href;
  const copies = () => inPage<readonly Copy[]>(COPIES);
  const titles = async (): Promise<readonly string[]> =>
    (await copies())[0]?.windows.flatMap(({ tabs }) => tabs.map(({ title }) => title)) ?? [];
  const visit = async (name: string): Promise<void> => {
    await inPage(`chrome.tabs.create({ url: "${at(name)}", active: false }).then(() => null)`);
    const isThere = `chrome.tabs.query({}).then((all) => all.some(({ title, status }) => title === "${name}" && status === "complete"))`;
    await until(() => inPage<boolean>(isThere), Boolean);
  };
  const copyNow = async (count: number): Promise<void> => {
    await inPage(RING);
    await until(copies, (all) => all.length === count);
  };

  test("are made while something changes", async () => {
    await visit("Oslo");
    await visit("Bergen");
    await copyNow(1);
    expect(await titles()).toEqual(["Oslo", "Bergen"]);
    // Nothing has changed.
    await inPage(RING);
    await Bun.sleep(1_000);
    expect(await copies()).toHaveLength(1);
    await visit("Voss");
    await copyNow(2);
    expect((await titles()).toSorted()).toEqual(["Bergen", "Oslo", "Voss"]);
  });

  test("a window is opened again as it was, in one of its own", async () => {
    const before = await inPage<number>("chrome.tabs.query({}).then((all) => all.length)");
    await until(() => inPage<boolean>(`document.querySelector(".copies") !== null`), Boolean);
    await inPage(`document.querySelector(".copies > ul > li:last-child .copy button").click()`);
    await until(
      () => inPage<number>("chrome.tabs.query({}).then((all) => all.length)"),
      (count) => count === before + 2,
    );
    const windows = await inPage<number>(
      "chrome.tabs.query({}).then((all) => new Set(all.map(({ windowId }) => windowId)).size)",
    );
    expect(windows).toBe(2);
  });

  test("twenty are kept, and none are made once that is turned off", async () => {
    await inPage(
      `chrome.storage.local.set({ windows: Array.from({ length: 20 }, (_, at) => ({ at, session: "before", windows: [] })) })`,
    );
    await inPage(RING);
    const all = await until(copies, (found) => (found[0]?.at ?? 0) > 100);
    expect([all.length, all.at(-1)?.at]).toEqual([20, 18]);
    await inPage(
      `[...document.querySelectorAll("label")].find((one) => one.innerText.includes("Keep a copy of all windows")).click()`,
    );
    await visit("Myrdal");
    await inPage(RING);
    await Bun.sleep(1_500);
    expect((await copies())[0]?.at).toBe(all[0]?.at ?? 0);
  });
});
