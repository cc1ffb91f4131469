import { CHROMIUM } from "../browser/browser.ts";
import type { Firefox } from "./firefox.ts";

/** In seconds. Browsers stop a worker that was idle for half a minute. */
const LONGEST = 90;
/** In seconds. How long it is watched then. */
const WATCHED = 30;

/**
 * Watches the worker from now on. Returns after how many seconds it was stopped, if it was not started again in the half
 * minute after that; null otherwise.
 */
const secondsUntilRest = async (runs: () => Promise<boolean>): Promise<number | null> => {
  const began = Date.now();
  const seconds = (): number => Math.round((Date.now() - began) / 1000);
  while (await runs()) {
    if (seconds() > LONGEST) return null;
    await Bun.sleep(1_000);
  }
  const stopped = seconds();
  while (seconds() < stopped + WATCHED) {
    if (await runs()) return null;
    await Bun.sleep(1_000);
  }
  return stopped;
};

/** Starts Chromium with an extension and a profile. Nothing attaches to the worker: that would keep it running. */
export const restInChromium = async (folder: string, profile: string): Promise<number | null> => {
  const chromium = Bun.spawn(
    [
      CHROMIUM ?? "",
      "--headless=new",
      "--no-sandbox",
      "--remote-debugging-port=0",
      `--user-data-dir=${profile}`,
      `--load-extension=${folder}`,
      "--disable-features=DisableLoadExtensionCommandLineSwitch",
    ],
    { stdout: "ignore", stderr: "pipe" },
  );
  try {
    const list = `http://${await debuggerOf(chromium.stderr)}/json/list`;
    const runs = async (): Promise<boolean> => {
      const targets = (await (await fetch(list)).json()) as readonly { readonly type: string }[];
      return targets.some(({ type }) => type === "service_worker");
    };
    while (!(await runs())) await Bun.sleep(100);
    return await secondsUntilRest(runs);
  } finally {
    chromium.kill();
    await chromium.exited;
  }
};

const debuggerOf = async (output: ReadableStream<Uint8Array>): Promise<string> => {
  let text = "";
  for await (const part of output) {
    text += new TextDecoder().decode(part);
    const address = /listening on ws:\/\/([^/]+)\//.exec(text)?.[1];
    if (address !== undefined) return address;
  }
  throw new Error(`Chromium has ended: ${text}`);
};

export const restInFirefox = async (firefox: Firefox): Promise<number | null> =>
  secondsUntilRest(async () => (await firefox.inBrowser(STATE)) === "running");

const STATE = `WebExtensionPolicy.getByID("extension@docket").extension.backgroundState`;
