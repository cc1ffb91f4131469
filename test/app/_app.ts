import type { Browser, Page } from "playwright-core";
import { run } from "../support/program.ts";
import { send } from "../support/server.ts";
import { openPage, type Watched } from "../browser/_browser.ts";
import { freshServer, setUp } from "../browser/_person.ts";

/** A server with Ann as its owner, her browser with the app in it, and what else acts on her account. */
export type Desk = Watched & {
  readonly url: string;
  /** Goes to a view and waits until it is drawn. */
  readonly open: (path: string) => Promise<void>;
  /** Calls the API as another device of hers. */
  readonly device: Caller;
  /** Calls the API as an agent with a key. */
  readonly agent: Caller;
  readonly end: () => Promise<void>;
};

type Caller = (
  method: string,
  path: string,
  body?: unknown,
) => Promise<Awaited<ReturnType<typeof send>>>;

export const startDesk = async (browser: Browser): Promise<Desk> => {
  const fresh = await freshServer();
  const { url } = fresh.server;
  // Without a network, requests fail, and that is no fault of the page.
  const watched = await openPage(browser, url, { statuses: [401, 422] });
  const { page } = watched;
  page.setDefaultTimeout(8_000);
  await setUp(page, fresh.code);
  const secret = async (...words: readonly string[]): Promise<string> =>
    (await run(fresh.binary, [...words, "--data", fresh.data])).out.trim();
  const laptop = await secret("session", "create", "--name", "laptop");
  const key = await secret("key", "create", "--name", "helper", "--scopes", "read,write");
  const caller =
    (token: string): Caller =>
    (method, path, body) =>
      send(method, `${url}/api/public/v1${path}`, { token, body });
  return {
    ...watched,
    url,
    open: async (path) => {
      await page.goto(path);
      await page.getByRole("navigation", { name: "Views" }).waitFor({ state: "attached" });
    },
    device: caller(laptop),
    agent: caller(key),
    end: async () => {
      await watched.context.close();
      await fresh.server.stop();
    },
  };
};

/** The titles of the tasks in the list, from top to bottom. */
export const titles = (page: Page): Promise<readonly string[]> =>
  page.locator(".row .title").allInnerTexts();

/** The row of a task. */
export const row = (page: Page, title: string) => page.locator(".row", { hasText: title });

/** Waits until the server has everything. */
export const saved = (page: Page): Promise<void> =>
  page.getByText("All saved").first().waitFor({ state: "attached" });

/** Waits until something of the page holds. */
export const eventually = async (holds: () => Promise<boolean>): Promise<void> => {
  const end = Date.now() + 10_000;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`This never came true: ${holds.toString()}`);
    await Bun.sleep(25);
  }
};
