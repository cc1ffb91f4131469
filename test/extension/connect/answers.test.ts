import { afterAll, beforeAll, expect, test } from "bun:test";
import { ask, saveLink, storedTasks } from "../../support/extension/ask.ts";
import { inChromium, useBrowser } from "../../support/extension/browsers.ts";
import { type Gate, startGate } from "../../support/extension/gate.ts";
import { until, useHome } from "../../support/extension/home.ts";

/** What a server answers to every sync, and what the extension says then. */
const ANSWERS: readonly (readonly [why: string, status: number, body: string, says: string])[] = [
  [
    "the account has no sync",
    403,
    JSON.stringify({ error: "This account has no sync. Ask the owner of the server for it." }),
    "This account has no sync. Ask the owner of the server for it.",
  ],
  [
    "the server is older, and does not know a field",
    422,
    JSON.stringify({ error: "Unknown parameter: limit. Known: since." }),
    "The server does not understand Docket here. One of the two may be too old: update it. The server says: Unknown parameter: limit. Known: since.",
  ],
  [
    "the server is newer, and answers in another way",
    200,
    JSON.stringify({ format: 2, records: [] }),
    "Docket cannot read the server's answer. One of the two may be too old: update it. If not, check the address and any proxy.",
  ],
  ["a proxy fails", 502, "<h1>Bad gateway</h1>", "The server answered with an error (502)."],
];

inChromium("the extension keeps what is saved, says why it waits, and goes on, when", (start) => {
  const home = useHome();
  let gate: Gate;
  const browser = useBrowser(start);
  afterAll(() => gate.stop());
  beforeAll(async () => {
    gate = startGate(home.url);
    await browser.signIn(home, gate.url);
    await ask(browser.page, "sync");
  });

  const waiting = async () => (await storedTasks(browser.page)).filter(({ waits }) => waits);

  for (const [at, [why, status, body, says]] of ANSWERS.entries())
    test(why, async () => {
      gate.answer(status, body);
      const reply = await saveLink(browser.page, `https://example.org/${at}`);
      expect(reply).toMatchObject({ kind: "done" });
      await ask(browser.page, "sync");
      expect(await waiting()).toHaveLength(1);
      const popup = await browser.popup();
      await popup.waitForFunction((text) => document.body.innerText.includes(text), {}, says);
      await browser.page.bringToFront();
      await browser.page.waitForFunction(
        (text) => document.body.innerText.includes(text),
        {},
        says,
      );
      gate.open();
      await ask(browser.page, "sync");
      await until(waiting, (left) => left.length === 0);
      // Nobody warns of it any more.
      await until(
        () => popup.$$eval(".standing", (lines) => lines.length),
        (lines) => lines === 0,
      );
      await popup.close();
      await until(
        () => browser.page.evaluate("document.body.innerText") as Promise<string>,
        (text) => text.includes("Everything is on the server."),
      );
      expect((await home.api("GET", "/tasks")).tasks).toMatchObject([{ tab_count: at + 1 }]);
    });
});
