import { afterAll, beforeAll } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { run, serve } from "../program.ts";
import { send, testDirectory } from "../server.ts";
import { enableTaps } from "../browser/bidi.ts";
import { openPage, type PageOptions, type Watched } from "../browser/browser.ts";
import { addressFor, type Engine, LAN_NAME, startEngine } from "../browser/engines.ts";
import { becomeOwner, freshServer, PASSWORD } from "../browser/person.ts";

/** A server with Ann as its owner, her browser with the app in it, and what else acts on her account. */
export type Desk = Watched &
  Account & {
    /** Goes to a view and waits until it is drawn. */
    readonly open: (path: string) => Promise<void>;
    readonly end: () => Promise<void>;
  };

/** A server of its own, and who acts on its owner's account from elsewhere. */
type Account = Home & {
  /** Calls the API as another device of hers. */
  readonly device: Caller;
  /** Calls the API as an agent with a key. */
  readonly agent: Caller;
};

type Caller = (
  method: string,
  path: string,
  body?: unknown,
) => Promise<Awaited<ReturnType<typeof send>>>;

/** A server that can be stopped and started again at the same address. */
type Home = {
  readonly url: string;
  /** The code with which somebody becomes its owner. */
  readonly code: string;
  /** Runs a command of the executable on the server's data. Returns what it printed. */
  readonly command: (...words: readonly string[]) => Promise<string>;
  /** Adds an account with Ann's password. */
  readonly addPerson: (email: string) => Promise<void>;
  readonly start: () => Promise<void>;
  readonly stop: (signal?: "SIGKILL" | "SIGTERM") => Promise<void>;
};

export const startHome = async (data: string, flags: readonly string[] = []): Promise<Home> => {
  const options = [...NAMES, ...flags];
  const { binary, code, server: first } = await freshServer(options, data);
  const { url } = first;
  let server = first;
  return {
    url,
    code,
    command: async (...words) => {
      const { code: ended, out, err } = await run(binary, [...words, "--data", data]);
      if (ended !== 0) throw new Error(`docket ${words.join(" ")}: ${err}`);
      return out.trim();
    },
    addPerson: async (email) => {
      const words = ["account", "add", email, "--password-stdin", "--data", data];
      const { code: ended, err } = await run(binary, words, { input: `${PASSWORD}\n` });
      if (ended !== 0) throw new Error(err);
    },
    start: async () => {
      server = await serve(binary, ["--data", data, "--port", new URL(url).port, ...options]);
    },
    stop: async (signal) => void (await server.stop(signal)),
  };
};

/** The server answers to the name that it has in a home network too. */
const NAMES = ["--allowed-hosts", LAN_NAME];

/** Signs in another device and an agent of the server's owner. */
export const withOthers = async (home: Home): Promise<Account> => {
  const scopes = ["--scopes", "read,write"];
  const [laptop, key] = await Promise.all([
    home.command("session", "create", "--name", "laptop"),
    home.command("key", "create", "--name", "helper", ...scopes),
  ]);
  const caller =
    (token: string): Caller =>
    (method, path, body) =>
      send(method, `${home.url}/api/public/v1${path}`, { token, body });
  return { ...home, device: caller(laptop), agent: caller(key) };
};

const startDesk = async (
  engine: Engine,
  browser: Browser,
  data: string,
  { flags, ...options }: Pick<DeskOptions, "flags"> & PageOptions,
): Promise<Desk> => {
  const home = await startHome(data, flags);
  // Without a network, requests fail, and that is no fault of the page.
  const url = addressFor(engine, home.url);
  const watched = await openPage(browser, url, { statuses: [401, 422], ...options });
  const { page } = watched;
  if (engine === "Firefox") enableTaps(page);
  await becomeOwner(watched.context, home, url);
  page.setDefaultTimeout(30_000);
  return {
    ...watched,
    ...(await withOthers(home)),
    url,
    open: async (path) => {
      await page.goto(path);
      await page.locator("nav[aria-label='Views']").waitFor({ state: "attached" });
    },
    end: async () => {
      await watched.context.close();
      await home.stop();
    },
  };
};

type DeskOptions = PageOptions & {
  readonly engine?: Engine;
  /** How the server is started. */
  readonly flags?: readonly string[];
  /** What is there before the first test. */
  readonly prepare?: (desk: Desk) => Promise<unknown>;
};

/** A desk for the tests of one `describe`: complete when the first of them begins, and gone after the last. */
export const useDesk = ({ engine = "Chromium", prepare, ...options }: DeskOptions = {}): Desk => {
  const desk: Partial<Desk> = {};
  const data = testDirectory();
  let browser: Browser | undefined;
  beforeAll(async () => {
    browser = await startEngine(engine, options.screen?.hasTouch);
    Object.assign(desk, await startDesk(engine, browser, data, options));
    await prepare?.(desk as Desk);
  });
  afterAll(async () => {
    await desk.end?.();
    await browser?.close();
  });
  return desk as Desk;
};

/** The titles of the tasks in the list, from top to bottom. */
export const titles = (page: Page): Promise<readonly string[]> =>
  page.locator(".row .title").allInnerTexts();

/** The row of a task. */
export const row = (page: Page, title: string) => page.locator(".row", { hasText: title });

/** Adds a task in the list that is open. */
export const add = async (page: Page, title: string): Promise<void> => {
  await page.getByLabel("Add a task").fill(title);
  await page.keyboard.press("Enter");
  await eventually(async () => (await titles(page)).includes(title));
};

/** Waits until the server has everything. */
export const saved = (page: Page): Promise<void> =>
  page.getByText("All saved").first().waitFor({ state: "attached" });

/**
 * Waits out the second after a field was left, in which letters are no commands. What a dialog did is seen before the
 * server has it, and only then does the dialog close.
 */
export const afterTyping = async (page: {
  readonly evaluate: (expression: string) => Promise<unknown>;
}): Promise<void> => {
  await eventually(
    async () => (await page.evaluate("document.querySelector('dialog') === null")) === true,
  );
  await Bun.sleep(1_050);
};

/** Waits until something of the page holds. `what` names it, should it never. */
export const eventually = async (
  holds: () => Promise<boolean>,
  what: string = holds.toString(),
): Promise<void> => {
  const end = Date.now() + 20_000;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`This never came true: ${what}`);
    await Bun.sleep(25);
  }
};
