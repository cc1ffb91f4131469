import type { Browser, BrowserContext, CDPSession, Page } from "playwright-core";

// What a browser says about its own work: the processor time of a page's thread, and memory.

type TraceEvent = {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly args: { readonly name?: string };
  readonly tdur?: number;
};

/**
 * The processor time of each task of the pages' threads, in milliseconds, in which nothing else that runs on the
 * machine counts.
 */
export const workOf = async (
  browser: Browser,
  job: () => Promise<void>,
): Promise<readonly number[]> => {
  await browser.startTracing(undefined, { categories: ["toplevel", "__metadata"] });
  await job();
  const trace = await browser.stopTracing();
  const events: readonly TraceEvent[] = JSON.parse(trace.toString()).traceEvents;
  const threads = new Set(
    events
      .filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain")
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  return events.flatMap(({ name, pid, tid, tdur = 0 }) =>
    name.endsWith("RunTask") && threads.has(`${pid} ${tid}`) && tdur > 2_000 ? [tdur / 1_000] : [],
  );
};

export type Memory = {
  /** What the script holds once the garbage is collected. */
  readonly script: number;
  /** What the page's process and all of the browser's processes hold in memory, as Linux counts it. */
  readonly page: number;
  readonly browser: number;
};

/** In bytes. */
export const memoryOf = async (
  browser: Browser,
  context: BrowserContext,
  page: Page,
): Promise<Memory> => {
  const session = await context.newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  const processes = await processesOf(await browser.newBrowserCDPSession());
  const sizes = await Promise.all(
    processes.map(async ({ id, type }) => ({ type, size: await sizeOf(id) })),
  );
  const pages = sizes.filter(({ type }) => type === "renderer").map(({ size }) => size);
  return {
    script: usedSize,
    page: Math.max(0, ...pages),
    browser: sizes.reduce((all, { size }) => all + size, 0),
  };
};

const processesOf = async (session: CDPSession) =>
  (await session.send("SystemInfo.getProcessInfo")).processInfo;

/** Memory that processes share counts for each by its part. */
const sizeOf = async (pid: number): Promise<number> => {
  const text = await Bun.file(`/proc/${pid}/smaps_rollup`)
    .text()
    .catch(() => "");
  return Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1] ?? 0) * 1_024;
};
