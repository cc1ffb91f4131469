import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { setUp } from "../support/browser/person.ts";
import { CHROMIUM } from "../support/browser/browser.ts";
import { buildBundle } from "../../src/web/app/files.ts";
import { buildBinary, FROM_SOURCE, run, serve } from "../support/program.ts";
import { memoryOf, workOf } from "../support/app/watched.ts";

// Prints how fast the app is with 10,000 tasks of 8 tabs, in Chromium: bun test/app/speed.ts
// With the argument `source`, the server runs from source, so that nothing is compiled first.

const TASKS = 10_000;
const OF_IT = "  of it, work of the page's thread";
const FRAMES = 90;
const WORDS = "garden invoice release holiday kitchen museum budget review draft ticket".split(" ");
const word = (at: number): string => WORDS[(at * 7919) % WORDS.length] ?? "";

const payloadOf = (at: number): object => ({
  title: `${word(at)} ${word(at * 31)} ${at}`,
  status: at % 7 === 0 ? "in_progress" : "todo",
  project_id: at % 3 === 0 ? null : "work",
  tags: at % 2 === 0 ? [word(at)] : [],
  ...(at % 5 === 0 ? { due: "2030-01-31" } : {}),
  pages: Array.from({ length: 8 }, (_, tab) => ({
    id: `${at}-${tab}`,
    url: `https://${word(at + tab)}.example/${word(tab * at)}/${at}?page=${tab}`,
    title: `${word(at + tab)} ${word(at * tab)} – page ${tab} of ${at}`,
    added_at: "2026-03-04T12:00:00.000Z",
  })),
  notes: at % 4 === 0 ? [{ id: `${at}-n`, text: `Ask ${word(at * 5)}.` }] : [],
});

const seed = async (url: string, token: string): Promise<void> => {
  const send = async (records: readonly object[]): Promise<void> => {
    const response = await fetch(`${url}/api/public/v1/sync`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify(records),
    });
    if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  };
  const updated_at = new Date(Date.now() - 60_000).toISOString();
  const folder = { name: "Work", colour: "blue" };
  await send([{ table: "sync_projects", id: "work", updated_at, payload: folder }]);
  for (let from = 0; from < TASKS; from += 500)
    await send(
      Array.from({ length: 500 }, (_, at) => ({
        table: "sync_tasks",
        id: `task-${from + at}`,
        updated_at,
        payload: payloadOf(from + at),
      })),
    );
};

/** Runs in each page from its start: when the first row is painted, and how long an event takes to the paint after it. */
const WATCH = `
  globalThis.firstRow = new Promise((done) => addEventListener("DOMContentLoaded", () => {
    const seen = new MutationObserver(() => {
      if (!document.querySelector(".row")) return;
      seen.disconnect();
      afterPaint().then(done);
    });
    seen.observe(document.body, { childList: true, subtree: true });
  }));
  const afterPaint = () => new Promise((done) => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => done(performance.now());
    port2.postMessage(null);
  }));
  globalThis.longTasks = [];
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) longTasks.push([startTime, duration]);
  }).observe({ type: "longtask", buffered: true });
  globalThis.untilPaint = (kind) => {
    globalThis.took = new Promise((done) => {
      addEventListener(kind, (event) => afterPaint().then((at) => done(at - event.timeStamp)),
        { capture: true, once: true });
    });
  };
  globalThis.untilGone = (text) => {
    globalThis.took = new Promise((done) => {
      addEventListener("click", (event) => {
        const look = async () => {
          const at = await afterPaint();
          if ([...document.querySelectorAll(".row .title")].some((one) => one.textContent === text)) look();
          else done(at - event.timeStamp);
        };
        look();
      }, { capture: true, once: true });
    });
  };
  globalThis.frames = (pixels, count) => new Promise((done) => {
    const box = document.querySelector(".scroll");
    const times = [];
    let last = null;
    const step = (now) => {
      if (last !== null) times.push(now - last);
      last = now;
      if (times.length === count) return done(times);
      box.scrollTop += pixels;
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  });
`;

const print = (what: string, value: string): boolean =>
  process.stdout.write(`${what.padEnd(44)} ${value}\n`);
const mb = (bytes: number): string => `${(bytes / 1_000_000).toFixed(0)} MB`;
const ms = (value: number): string => `${value.toFixed(0)} ms`;
const spread = (times: readonly number[]): string => {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (part: number): string => ms(sorted[Math.floor((sorted.length - 1) * part)] ?? 0);
  return `median ${at(0.5)}, 95 of 100 ${at(0.95)}, longest ${at(1)}`;
};

const openList = async (context: BrowserContext, path = "/tasks/open"): Promise<Page> => {
  const page = await context.newPage();
  await page.goto(path);
  await page.evaluate("firstRow");
  return page;
};

/** A field that finds tasks: the key that opens it, and where it is. */
type Field = readonly [key: string, place: string];
const SEARCH: Field = ["/", "#search"];
const PALETTE: Field = ["Control+k", ".chooser input"];

const firstKey = async (
  context: BrowserContext,
  [key, place]: Field,
  pause: number,
): Promise<Took> => {
  const page = await openList(context);
  await page.keyboard.press(key);
  await page.locator(place).waitFor();
  await page.waitForTimeout(pause);
  await page.evaluate("untilPaint('keydown')");
  let wall = 0;
  const busy = await workOf(browser, async () => {
    await page.keyboard.press("g");
    wall = await page.evaluate<number>("took");
  });
  await page.close();
  return [wall, sum(busy)];
};

const finish = async (page: Page): Promise<Took> => {
  const first = page.locator(".row .title").nth(2);
  await page.evaluate(`untilGone(${JSON.stringify(await first.innerText())})`);
  let wall = 0;
  const busy = await workOf(browser, async () => {
    await page.locator(".row .status-button").nth(2).click();
    wall = await page.evaluate<number>("took");
  });
  return [wall, sum(busy)];
};

const sum = (times: readonly number[]): number => times.reduce((all, one) => all + one, 0);

/** Milliseconds on the clock, and of the processor. */
type Took = readonly [wall: number, busy: number];

const repeat = async (what: string, times: number, job: () => Promise<Took>): Promise<void> => {
  const all: Took[] = [];
  for (let at = 0; at < times; at += 1) all.push(await job());
  print(what, spread(all.map(([wall]) => wall)));
  print(OF_IT, spread(all.map(([, busy]) => busy)));
};

/** Tasks of more than 50 ms, from opening until everything is read. */
const showLongTasks = async (context: BrowserContext): Promise<void> => {
  const [first, longest, busiest]: [number[], number[], number[]] = [[], [], []];
  for (let at = 0; at < 5; at += 1) {
    const busy = await workOf(browser, async () => {
      const page = await openList(context);
      await page.waitForTimeout(2_000);
      const tasks = await page.evaluate<[start: number, duration: number][]>("longTasks");
      first.push(tasks[0]?.[1] ?? 0);
      longest.push(Math.max(0, ...tasks.map(([, duration]) => duration)));
      await page.close();
    });
    busiest.push(Math.max(0, ...busy));
  }
  print("First long task after opening", spread(first));
  print("Longest task within 2 s", spread(longest));
  print(OF_IT, spread(busiest));
};

const showSizes = async (): Promise<void> => {
  for (const [name, text] of Object.entries(await buildBundle()))
    print(
      `Size of the ${name}, gzip`,
      `${(Bun.gzipSync(text, { level: 9 }).length / 1_000).toFixed(1)} kB`,
    );
};

const measure = async (context: BrowserContext): Promise<void> => {
  const list = await openList(context);
  await list.getByText("All saved").first().waitFor({ state: "attached", timeout: 180_000 });
  await list.waitForTimeout(3_000);
  await list.close();
  await repeat("Cold open to the painted list", 5, async () => {
    let wall = 0;
    const busy = await workOf(browser, async () => {
      const page = await openList(context);
      wall = await page.evaluate<number>("firstRow");
      await page.close();
    });
    return [wall, sum(busy)];
  });
  await showLongTasks(context);
  const page = await openList(context);
  await page.waitForTimeout(3_000);
  for (const pixels of [100, 300, 900, 3_000]) {
    await page.evaluate("document.querySelector('.scroll').scrollTop = 0");
    await page.waitForTimeout(500);
    let times: readonly number[] = [];
    const busy = await workOf(browser, async () => {
      times = await page.evaluate<number[]>(`frames(${pixels}, ${FRAMES})`);
    });
    print(`Frames, ${pixels} px a frame`, spread(times));
    print(OF_IT, spread(busy));
  }
  await page.evaluate("document.querySelector('.scroll').scrollTop = 0");
  await page.waitForTimeout(500);
  await repeat("Finishing a task", 8, () => finish(page));
  const memory = await memoryOf(browser, context, page);
  print("Memory of the script", mb(memory.script));
  print("Memory of the page's process", mb(memory.page));
  print("Memory of the browser", mb(memory.browser));
  await page.close();
  await repeat("First key of a search, 3 s after opening", 3, () =>
    firstKey(context, SEARCH, 3_000),
  );
  await repeat("First key of a search, at once", 3, () => firstKey(context, SEARCH, 0));
  await repeat("First key in the palette, after 3 s", 3, () => firstKey(context, PALETTE, 3_000));
};

const showLoad = (): boolean =>
  print(
    "Load of the machine",
    loadavg()
      .map((load) => load.toFixed(1))
      .join(", "),
  );

const data = mkdtempSync(join(tmpdir(), "docket-speed-"));
const binary = process.argv.includes("source") ? FROM_SOURCE : await buildBinary();
const server = await serve(binary, ["--data", data]);
// With a profile, as people have one: without it, the browser would keep the store in memory.
const context = await chromium.launchPersistentContext(join(data, "browser"), {
  executablePath: CHROMIUM ?? "",
  baseURL: server.url,
});
const browserOf = (of: BrowserContext): Browser => {
  const found = of.browser();
  if (!found) throw new Error("This browser cannot be watched.");
  return found;
};
const browser = browserOf(context);
try {
  while (!server.printed().includes("setup#")) await Bun.sleep(20);
  const page = await context.newPage();
  await setUp(page, /setup#(\S+)/.exec(server.printed())?.[1] ?? "");
  await page.close();
  const words = ["session", "create", "--name", "laptop", "--data", data];
  await seed(server.url, (await run(binary, words)).out.trim());
  await context.addInitScript(WATCH);
  await showSizes();
  showLoad();
  await measure(context);
  showLoad();
} finally {
  await context.close();
  await server.stop();
  rmSync(data, { recursive: true, force: true });
}
