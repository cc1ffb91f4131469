import { expect, test } from "bun:test";
import type { Page } from "puppeteer-core";
import { inFirefox } from "../../support/browser/firefox.ts";
import { ask } from "../../support/extension/ask.ts";
import { useFirefox } from "../../support/extension/firefox.ts";
import { until, useHome } from "../../support/extension/home.ts";

inFirefox("In Firefox, the extension", () => {
  const home = useHome();
  const firefox = useFirefox();
  let popup: Page;

  const payloads = async (): Promise<readonly Record<string, unknown>[]> => {
    const { changes } = await home.api("GET", "/sync");
    return changes.sync_tasks.map(({ payload }: { payload: unknown }) => payload);
  };

  test("returns from sign-in to the address that the server expects", async () => {
    const options = await firefox.open("options.html", "#address");
    expect(await options.evaluate("browser.identity.getRedirectURL()")).toBe(
      `https://${Bun.SHA1.hash("extension@docket", "hex")}.extensions.allizom.org/`,
    );
    await options.close();
  });

  test("saves before anybody signs in, and moves that into the account", async () => {
    popup = await firefox.open("popup.html", ".popup-head");
    const url = new URL("Oslo", home.web).href;
    const saved = { kind: "link", url, title: "Oslo" };
    expect(
      await ask(popup, "save", { saved, place: { kind: "inbox" }, close: false }),
    ).toMatchObject({
      kind: "done",
      report: { label: "1 tab saved to “Inbox”" },
    });
    await home.signIn({
      inWorker: <T>(code: string) => popup.evaluate(code) as Promise<T>,
    });
    const found = await until(payloads, (all) => all.length === 1);
    expect(found).toMatchObject([{ title: "Agent unsorted", pages: [{ url, title: "Oslo" }] }]);
  });

  test("keeps the name and colour of a group, and opens it again without loading it", async () => {
    const tabIds = await popup.evaluate(`(async () => {
      const tabs = [];
      for (const path of ["Bergen", "Flam"])
        tabs.push(await browser.tabs.create({ url: "${home.web.href}" + path, active: false }));
      const tabIds = tabs.map(({ id }) => id);
      const group = await browser.tabs.group({ tabIds });
      await browser.tabGroups.update(group, { title: "Fjords", color: "cyan" });
      return tabIds;
    })()`);
    await until(
      () => popup.evaluate(OPEN) as Promise<readonly Open[]>,
      (open) => open.every(({ title }) => ["Bergen", "Flam"].includes(title)),
    );
    const reply = await ask(popup, "save", {
      saved: { kind: "tabs", tabIds },
      place: { kind: "new", title: "Norway" },
      close: true,
    });
    expect(reply).toMatchObject({ report: { label: "2 tabs saved to “Norway”" } });
    const found = await until(payloads, (all) => all.length === 2);
    const norway = found.find(({ title }) => title === "Norway");
    // Chrome gives a group of this name and colour the same id.
    expect(norway).toMatchObject({
      groups: [{ id: "cyan Fjords", title: "Fjords", colour: "cyan" }],
    });

    const { taskId } = (reply as { readonly report: { readonly taskId: string } }).report;
    await ask(popup, "reopen", { taskId, names: null, where: "here" });
    const open = await until(
      () => popup.evaluate(OPEN) as Promise<readonly Open[]>,
      (tabs) => tabs.length === 2 && tabs.every(({ group }) => group === "Fjords cyan"),
    );
    expect(open.map(({ discarded }) => discarded)).toEqual([false, true]);
    // A tab that sleeps has its title nevertheless.
    expect(open[1]?.title).toBe("Flam");
  });
});

type Open = { readonly title: string; readonly group: string; readonly discarded: boolean };

const OPEN = `(async () => {
  const tabs = (await browser.tabs.query({})).filter(({ groupId }) => groupId !== -1);
  return Promise.all(tabs.map(async ({ title, groupId, discarded }) => {
    const group = await browser.tabGroups.get(groupId);
    return { title, discarded, group: group.title + " " + group.color };
  }));
})()`;
