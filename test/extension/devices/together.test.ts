import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import type { Page } from "puppeteer-core";
import { CHROMIUM } from "../../support/browser/browser.ts";
import { inFirefox } from "../../support/browser/firefox.ts";
import { testDirectory } from "../../support/server.ts";
import { ask, saveLink, type Stored, storedTasks } from "../../support/extension/ask.ts";
import { type Chrome, startChrome, unpack } from "../../support/extension/chrome.ts";
import { type Firefox, startFirefox } from "../../support/extension/firefox.ts";
import { type Gate, startGate } from "../../support/extension/gate.ts";
import { type Home, startHome, until } from "../../support/extension/home.ts";

type Task = { readonly id: string; readonly title: string; readonly status: string };

inFirefox.skipIf(CHROMIUM === null)("Ann's Chromium, her Firefox and an agent", () => {
  let home: Home;
  let gate: Gate;
  let chrome: Chrome;
  let firefox: Firefox;
  /** A page of the extension in each browser. */
  let one: Page;
  let other: Page;
  let asked: readonly string[];
  afterAll(async () => {
    await chrome.close();
    await firefox.browser.close();
    await gate.stop();
    await home.end();
  });
  const [data, backups, profile] = [testDirectory(), testDirectory(), testDirectory()];
  const folders = { chrome: testDirectory(), firefox: testDirectory() };

  beforeAll(async () => {
    home = await startHome(data);
    gate = startGate(home.url);
    unpack(folders.chrome);
    unpack(folders.firefox, "firefox");
    chrome = await startChrome(folders.chrome, profile);
    firefox = await startFirefox(folders.firefox);
    asked = await chrome.requests();
    one = await chrome.open("options.html");
    other = await firefox.open("options.html", "#address");
    await home.signIn(chrome, gate.url);
    await home.signIn(firefox.asChrome(other), gate.url);
  });

  const onServer = async (): Promise<readonly Task[]> => (await home.api("GET", "/tasks")).tasks;
  const at = (path: string): string => new URL(path, home.web).href;
  /** Syncs until each browser has the other's changes, and returns what both hold. */
  const settle = async (): Promise<readonly Stored[]> => {
    for (const page of [one, other, one]) await ask(page, "sync");
    const stored = await storedTasks(one);
    expect(await storedTasks(other)).toEqual(stored);
    expect(stored.filter(({ waits }) => waits)).toEqual([]);
    return stored;
  };

  test("share a task with its group, which opens in the other browser with name and colour", async () => {
    const tabIds = await other.evaluate(`(async () => {
      const tabs = [];
      for (const path of ["Bergen", "Flam"])
        tabs.push(await browser.tabs.create({ url: "${home.web.href}" + path, active: false }));
      const tabIds = tabs.map(({ id }) => id);
      const group = await browser.tabs.group({ tabIds });
      await browser.tabGroups.update(group, { title: "Fjords", color: "cyan" });
      return tabIds;
    })()`);
    await until(
      () => other.evaluate("browser.tabs.query({})") as Promise<readonly { title: string }[]>,
      (tabs) => ["Bergen", "Flam"].every((name) => tabs.some(({ title }) => title === name)),
    );
    const saved = { kind: "tabs", tabIds };
    const place = { kind: "new", title: "Norway" };
    await ask(other, "save", { saved, place, close: true });
    await until(onServer, (tasks) => tasks.length === 1);
    const [norway] = await settle();
    expect(norway?.payload).toMatchObject({
      title: "Norway",
      pages: [{ title: "Bergen" }, { title: "Flam" }],
      groups: [{ title: "Fjords", colour: "cyan" }],
    });
    await ask(one, "reopen", { taskId: norway?.id, names: null, where: "here" });
    const groups = await until(
      () => one.evaluate("chrome.tabGroups.query({})") as Promise<readonly unknown[]>,
      (found) => found.length === 1,
    );
    expect(groups).toMatchObject([{ title: "Fjords", color: "cyan" }]);
    await one.evaluate(CLOSE_GROUPED);
  });

  test("keep the agent's tab when she saves into a task while the pull that brings it is on its way", async () => {
    const [{ id } = { id: "" }] = await onServer();
    await home.agent("POST", `/tasks/${id}/tabs`, [{ url: "https://example.org/agent" }]);
    gate.holdPull();
    const synced = ask(one, "sync");
    await gate.arrived();
    await ask(one, "save", {
      saved: { kind: "link", url: at("Voss"), title: "Voss" },
      place: { kind: "task", id },
      close: false,
    });
    gate.open();
    await synced;
    await settle();
    const { tabs } = await home.api("GET", `/tasks/${id}`);
    expect(
      tabs
        .map((tab: { title: string; created_by: string }) => [tab.title, tab.created_by])
        .toSorted(),
    ).toEqual([
      ["Bergen", "person"],
      ["Flam", "person"],
      ["Voss", "person"],
      ["https://example.org/agent", "agent"],
    ]);
  });

  test("end with the same tasks when all three work at once", async () => {
    const [{ id } = { id: "" }] = await onServer();
    const agentWorks = async (): Promise<void> => {
      for (const name of ["a", "b", "c"]) {
        await home.agent("POST", "/inbox/tabs", [{ url: `https://example.org/inbox/${name}` }]);
        await home.agent("POST", `/tasks/${id}/tabs`, [{ url: `https://example.org/${name}` }]);
        await home.agent("PATCH", `/tasks/${id}`, { status: "in_progress", colour: name });
      }
    };
    // Of two browsers that change the same task, the later one wins: only one of them saves into it here.
    const made = { kind: "new", title: "Made by ann" };
    await Promise.all([
      agentWorks(),
      saveEach(
        one,
        ["1", "2", "3"].map((name) => at(`chromium-${name}`)),
        [{ kind: "task", id }, made],
      ),
      saveEach(
        other,
        ["1", "2", "3"].map((name) => at(`firefox-${name}`)),
        [made],
      ),
    ]);
    await ask(other, "sync");
    const stored = await settle();
    const norway = await home.api("GET", `/tasks/${id}`);
    expect(norway).toMatchObject({ status: "in_progress", colour: "c", tab_count: 10 });
    expect(stored).toHaveLength(8);
    const { changes } = await home.api("GET", "/sync");
    const payloads = new Map(
      changes.sync_tasks.map((row: { id: string; payload: unknown }) => [row.id, row.payload]),
    );
    for (const task of stored) expect(payloads.get(task.id)).toEqual(task.payload);
  });

  test("give a restored server back what it has lost", async () => {
    const backup = await home.docket(["backup", join(backups, "docket.db")]);
    await ask(other, "save", {
      saved: { kind: "link", url: at("Bodo"), title: null },
      place: { kind: "new", title: "Lost" },
      close: false,
    });
    await settle();
    await home.kill();
    await home.docket(["restore", backup, "--yes"]);
    await home.startAgain();
    expect((await onServer()).map(({ title }) => title)).not.toContain("Lost");
    await ask(one, "sync");
    await settle();
    expect((await onServer()).map(({ title }) => title)).toContain("Lost");
  });

  test("lose nothing when a device is signed out on the Devices page: it keeps what it holds, and goes on after the next sign-in", async () => {
    const before = await titlesIn(one);
    for (const id of await home.sessions()) await home.docket(["session", "revoke", id]);
    await ask(one, "sync");
    await one.bringToFront();
    await one.waitForFunction(() =>
      document.body.innerText.includes("Your session has ended. Sign in again."),
    );
    await saveLink(one, at("while-signed-out"));
    expect(await titlesIn(one)).toEqual(before);
    expect((await storedTasks(one)).filter(({ waits }) => waits)).toHaveLength(1);
    await home.signIn(chrome, gate.url);
    await until(
      async () => (await storedTasks(one)).filter(({ waits }) => waits),
      (waiting) => waiting.length === 0,
    );
  });

  test("and the extension sent no request to anyone but the server", () => {
    expect(asked.filter((url) => !url.startsWith(`${gate.url}/`))).toEqual([]);
    expect(asked.length).toBeGreaterThan(10);
  });
});

/** A tab that is put to sleep meanwhile gets another id. */
const CLOSE_GROUPED = `(async () => {
  for (;;) {
    const grouped = (await chrome.tabs.query({})).filter(({ groupId }) => groupId !== -1);
    if (grouped.length === 0) return;
    await Promise.allSettled(grouped.map(({ id }) => chrome.tabs.remove(id)));
  }
})()`;

/** Saves each link to each place, one after the other. */
const saveEach = async (
  page: Page,
  urls: readonly string[],
  places: readonly object[],
): Promise<void> => {
  for (const url of urls)
    for (const place of places)
      await ask(page, "save", { saved: { kind: "link", url, title: null }, place, close: false });
};

/** The titles of the tasks in a browser's store. */
const titlesIn = async (page: Page): Promise<readonly unknown[]> =>
  (await storedTasks(page)).flatMap(({ deletedAt, payload }) =>
    deletedAt === null ? [payload["title"]] : [],
  );
