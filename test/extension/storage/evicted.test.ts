import { afterAll, beforeAll, test } from "bun:test";
import { ask, saveLink, storedTasks } from "../../support/extension/ask.ts";
import { inEachBrowser, useBrowser } from "../../support/extension/browsers.ts";
import { type Gate, startGate } from "../../support/extension/gate.ts";
import { until, useHome } from "../../support/extension/home.ts";

// The browser removes the extension's database while the worker runs: by itself, or because somebody clears the data.

inEachBrowser("after the browser has removed the database", (start) => {
  const home = useHome();
  let gate: Gate;
  const browser = useBrowser(start);
  afterAll(() => gate.stop());
  beforeAll(async () => {
    gate = startGate(home.url);
    await browser.signIn(home, gate.url);
  });

  test("what the server has comes again, and what waits is not lost", async () => {
    await saveLink(browser.page, "https://before.example/");
    await ask(browser.page, "sync");
    gate.answer(503, '{"error": "Restarting."}');
    await saveLink(browser.page, "https://waits.example/");
    await browser.evict();
    await saveLink(browser.page, "https://after.example/");
    gate.open();
    await until(
      async () => {
        await ask(browser.page, "sync");
        const { changes } = await home.api("GET", "/sync");
        return urlsIn(changes.sync_tasks);
      },
      (urls) => urls.length === 3,
    );
    await until(
      async () => urlsIn(await storedTasks(browser.page)),
      (urls) => urls.length === 3,
    );
  });
});

type Task = { readonly payload: Readonly<Record<string, unknown>> };

const urlsIn = (tasks: readonly Task[]): readonly unknown[] =>
  tasks.flatMap(({ payload }) => (payload["pages"] ?? []) as readonly unknown[]);
