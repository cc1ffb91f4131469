import { beforeAll, expect, test } from "bun:test";
import type { Page } from "puppeteer-core";
import { MAX_PAYLOAD, serialise } from "../../../src/domain/base/payload.ts";
import { inBrowser } from "../../support/browser/browser.ts";
import { ask, saveLink, storedTasks } from "../../support/extension/ask.ts";
import { press, useChrome } from "../../support/extension/chrome.ts";
import { record, until, useHome } from "../../support/extension/home.ts";

type Task = { readonly id: string; readonly title: string };
type Saved = { readonly kind: string; readonly problem?: string; readonly report?: object };

inBrowser("What the extension closes is stored, and what it stores is synced:", () => {
  const home = useHome();
  const chrome = useChrome();
  let page: Page;
  beforeAll(async () => {
    await home.api("POST", "/sync", [nearlyFull("old-inbox", "Agent unsorted", 100)]);
    page = await chrome.open("options.html");
  });

  const at = (path: string): string => new URL(path, home.web).href;
  const tasks = async (title: string): Promise<readonly Task[]> =>
    ((await home.api("GET", "/tasks")).tasks as readonly Task[]).filter(
      (task) => task.title === title,
    );
  const urls = async (id: string): Promise<readonly string[]> =>
    (await home.api("GET", `/tasks/${id}`)).tabs.map(({ url }: { url: string }) => url);
  const newInbox = async (): Promise<string> => {
    const found = await until(
      () => tasks("Agent unsorted"),
      (all) => all.length > 1,
    );
    expect(found).toHaveLength(2);
    return found.find(({ id }) => id !== "old-inbox")?.id ?? "";
  };
  const open = () => chrome.inWorker<readonly string[]>(OPEN);
  const saveAndClose = async (place: object, addresses: readonly string[]): Promise<Saved> => {
    for (const url of addresses) await chrome.visit(url);
    const tabIds = await chrome.inWorker(IDS(addresses));
    return ask(page, "save", { saved: { kind: "tabs", tabIds }, place, close: true });
  };

  test("an inbox without an account becomes one of its own, where the account's is full", async () => {
    await saveLink(page, at("Oslo"));
    await home.signIn(chrome);
    expect(await urls(await newInbox())).toEqual([at("Oslo")]);
    expect(await urls("old-inbox")).toEqual([]);
  });

  test("a full inbox is left as it is, and what is saved goes to another", async () => {
    expect(await saveAndClose({ kind: "inbox" }, [at("Bergen")])).toMatchObject({
      report: { label: "1 tab saved to “Inbox”" },
    });
    expect(await open()).not.toContain(at("Bergen"));
    const id = await newInbox();
    await until(
      () => urls(id),
      (all) => all.includes(at("Bergen")),
    );
  });

  test("a full task is refused, and nothing is closed", async () => {
    await home.api("POST", "/sync", [nearlyFull("full", "Norway", 100)]);
    await ask(page, "sync");
    expect(await saveAndClose({ kind: "task", id: "full" }, [at("Flam")])).toEqual({
      kind: "failed",
      problem:
        "“Norway” has no room for this: a task can hold up to 1 MiB. Save fewer tabs at once, or choose another task. Nothing was saved or closed.",
    });
    expect(await open()).toContain(at("Flam"));
    expect((await storedTasks(page)).filter(({ waits }) => waits)).toEqual([]);
  });

  test("mails that differ in what follows the # are all stored", async () => {
    const mails = ["A", "B", "C"].map((id) => at(`mail#inbox/${id}`));
    expect(await saveAndClose({ kind: "new", title: "Mails" }, mails)).toMatchObject({
      report: { label: "3 tabs saved to “Mails”" },
    });
    expect((await open()).filter((url) => mails.includes(url))).toEqual([]);
    const [task] = await until(
      () => tasks("Mails"),
      (all) => all.length === 1,
    );
    expect(await urls(task?.id ?? "")).toEqual(mails);
  });

  test("a change that the server refuses is counted in the popup, and before she signs out", async () => {
    await home.api("POST", "/sync", [nearlyFull("full", "Norway", 20_000)]);
    await ask(page, "sync");
    // Here there is room. On the server there is none by now.
    await home.api("POST", "/sync", [nearlyFull("full", "Norway", 100)]);
    expect(await saveAndClose({ kind: "task", id: "full" }, [at("Voss")])).toMatchObject({
      kind: "done",
    });
    const popup = await chrome.open("popup.html");
    const said = "The server refused 1 change, kept in this browser only.";
    await popup.waitForFunction(
      (text) => document.querySelector(".standing")?.textContent?.includes(text) ?? false,
      {},
      said,
    );
    await popup.close();
    await page.bringToFront();
    await press(page, "Sign out");
    const question = await page.waitForSelector(".question p");
    expect(await question?.evaluate((line) => line.textContent)).toBe(
      `${said} If you sign out now, it is lost.`,
    );
  });
});

/** A task of which the server takes so many bytes more, and none beyond. */
const nearlyFull = (id: string, title: string, left: number) => {
  const payload = { title, status: "todo", pages: [], notes: [], filler: "" };
  const size = MAX_PAYLOAD - left - serialise(payload).length;
  return record("sync_tasks", id, { ...payload, filler: "x".repeat(size) });
};

const OPEN = "chrome.tabs.query({}).then((tabs) => tabs.map(({ url }) => url))";

const IDS = (addresses: readonly string[]): string =>
  `chrome.tabs.query({}).then((tabs) => ${JSON.stringify(addresses)}
    .map((address) => tabs.find(({ url }) => url === address).id))`;
