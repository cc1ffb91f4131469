import { readdirSync, readFileSync } from "node:fs";
import type { BrowserContext, Page } from "playwright-core";
import { processOf } from "./bidi.ts";
import type { Engine } from "./engines.ts";

/** Ends a page's process, as a crash does. Chromium leaves an empty page, which its driver cannot close. */
export const crash = async (engine: Engine, page: Page): Promise<void> => {
  if (engine === "Firefox") {
    await killTabs(page.context());
    // Firefox loads the page again by itself.
    return page.close();
  }
  const crashed = page.waitForEvent("crash");
  const cdp = await page.context().newCDPSession(page);
  cdp.send("Page.crash").catch(() => null);
  await crashed;
};

/** Ends a browser at once, with all its processes. */
export const killBrowser = async (context: BrowserContext): Promise<void> => {
  const closed = context.waitForEvent("close");
  process.kill(processOf(context), "SIGKILL");
  await closed;
};

/** Ends the processes in which Firefox shows pages. It says of none of them which page. */
const killTabs = async (context: BrowserContext): Promise<void> => {
  const tabs = descendants(processOf(context)).filter(({ words }) => words.at(-1) === "tab");
  for (const { pid } of tabs) process.kill(pid, "SIGKILL");
  while (tabs.some(({ pid }) => runs(pid))) await Bun.sleep(25);
};

type Process = {
  readonly pid: number;
  readonly parent: number;
  readonly words: readonly string[];
};

const descendants = (pid: number, all = processes()): readonly Process[] =>
  all.filter(({ parent }) => parent === pid).flatMap((one) => [one, ...descendants(one.pid, all)]);

/** The processes of this machine, as Linux lists them. */
const processes = (): readonly Process[] =>
  readdirSync("/proc").flatMap((name) => {
    try {
      const pid = Number(name);
      const [, parent] = stateOf(pid);
      const words = readFileSync(`/proc/${name}/cmdline`, "utf8").split("\0");
      return [{ pid, parent: Number(parent), words: words.filter((word) => word !== "") }];
    } catch {
      return [];
    }
  });

const runs = (pid: number): boolean => {
  try {
    return stateOf(pid)[0] !== "Z";
  } catch {
    return false;
  }
};

/** Its state and its parent. */
const stateOf = (pid: number): readonly string[] =>
  readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
