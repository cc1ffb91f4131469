import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { Page } from "puppeteer-core";
import { buildBinary, type Running, run, serve } from "../../support/program.ts";
import { testDirectory } from "../../support/server.ts";
import { ask, saveLink, storedTasks } from "../../support/extension/ask.ts";
import { type Extended, inChromium } from "../../support/extension/browsers.ts";
import { press } from "../../support/extension/chrome.ts";
import { type Home, startHome, until } from "../../support/extension/home.ts";
import { newPairingCode, pairingCodeOn } from "../../support/extension/pairing.ts";

inChromium("what belongs to one server", (start) => {
  let home: Home;
  /** Another server, with a copy of her account. */
  let copy: Running;
  let spy: Spy;
  let browser: Extended;
  let page: Page;
  const [data, copied, folder, profile] = [
    testDirectory(),
    testDirectory(),
    testDirectory(),
    testDirectory(),
  ];

  beforeAll(async () => {
    home = await startHome(data);
    const backup = await home.docket(["backup", join(testDirectory(), "docket.db")]);
    const binary = await buildBinary();
    await run(binary, ["restore", backup, "--yes", "--data", copied]);
    copy = await serve(binary, ["--data", copied, "--log", "off"]);
    spy = startSpy(copy.url);
    browser = await start(folder, profile);
    page = browser.page;
    await browser.signIn(home);
    await ask(page, "sync");
  });
  afterAll(async () => {
    await browser.close();
    await spy.stop();
    await copy.stop("SIGKILL");
    await home.end();
  });

  const connection = async () =>
    (
      (await page.evaluate("chrome.storage.local.get('connection')")) as {
        readonly connection: { readonly server: string; readonly token: string };
      }
    ).connection;
  const says = (text: string) =>
    page.waitForFunction((words) => document.body.innerText.includes(words), {}, text);
  const enter = async (server: string): Promise<void> => {
    await page.bringToFront();
    await page.waitForSelector("#address");
    await page.$eval("#address", (field) => ((field as HTMLInputElement).value = ""));
    await page.type("#address", server);
  };
  /** Signs in at the other server, with a pairing code of it. */
  const signInThere = async (code: string): Promise<void> => {
    await enter(spy.url);
    await page.$eval("#code", (field) => ((field as HTMLInputElement).value = ""));
    await page.type("#code", code);
    await press(page, "Sign in with the code");
    await says(`Move to ${spy.url}?`);
  };

  describe("goes nowhere else by a redirect:", () => {
    let redirect: ReturnType<typeof startRedirect>;
    beforeAll(async () => {
      redirect = startRedirect(spy.url);
      const { token } = await connection();
      const moved = { ...(await connection()), server: redirect.url.origin, token };
      await page.evaluate(`chrome.storage.local.set(${JSON.stringify({ connection: moved })})`);
    });
    afterAll(async () => {
      await redirect.stop(true);
      await browser.signIn(home);
      await ask(page, "sync");
    });

    test("a change that waits", async () => {
      spy.seen.length = 0;
      await saveLink(page, "https://example.org/hers");
      await ask(page, "sync");
      await page.bringToFront();
      await says("The server's address leads to another one, and nothing was sent there.");
      expect(spy.seen).toEqual([]);
      const stored = await page.evaluate(WAITING);
      expect(stored).toBe(1);
    });

    test("the token of a test of the connection, which says where the address leads", async () => {
      await press(page, "Test the connection");
      await says(
        `${redirect.url.origin} leads to ${spy.url}. If that is your server, enter it as the address.`,
      );
      expect(spy.seen.some((request) => request.includes("docket_sess_"))).toBe(false);
    });
  });

  test("stays there if she does not want to move", async () => {
    const before = await connection();
    await page.click("summary");
    await page.waitForSelector("details details summary, details form #code");
    await page.click("details details summary");
    await signInThere(await newPairingCode(browser, spy));
    await press(page, "Stay with the old one");
    await says(`Nothing was changed. This browser stays with ${home.url}.`);
    expect(await connection()).toEqual(before);
    expect((await home.sessions()).length).toBeGreaterThan(0);
    expect(spy.seen.some((request) => request.includes(before.token))).toBe(false);
    expect(spy.seen.some((request) => request.includes("/sync"))).toBe(false);
  });

  test("moves if she says so, and no token goes along", async () => {
    const before = await connection();
    const live = await home.sessions();
    // That browser is signed in at the other server by now.
    const devices = await browser.newTab(`${spy.url}/account/devices`);
    const code = await pairingCodeOn(devices);
    await devices.close();
    await signInThere(code);
    await press(page, "Move to the new address");
    await says("You are signed in as ann@example.org.");
    await until(connection, ({ server }) => server === spy.url);
    await until(
      () => home.sessions(),
      (sessions) => sessions.length === live.length - 1,
    );
    await ask(page, "sync");
    await until(
      () => storedTasks(page),
      (tasks) => tasks.every(({ waits }) => !waits),
    );
    expect(spy.seen.some((request) => request.includes("/sync"))).toBe(true);
    expect(spy.seen.some((request) => request.includes(before.token))).toBe(false);
  });
});

type Spy = {
  readonly url: string;
  /** Each request: its address, headers and body. */
  readonly seen: string[];
  readonly stop: () => Promise<void>;
};

/** The way to a server, which notes all that goes there. */
const startSpy = (server: string): Spy => {
  const seen: string[] = [];
  const way = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: async (request) => {
      const { pathname, search } = new URL(request.url);
      const { method } = request;
      const headers = new Headers(request.headers);
      const body = method === "POST" ? await request.text() : null;
      seen.push([method, pathname, JSON.stringify(headers.toJSON()), body].join(" "));
      // A sign-in form is taken from the server's own address only.
      headers.set("host", new URL(server).host);
      if (headers.has("origin")) headers.set("origin", server);
      const reply = await fetch(`${server}${pathname}${search}`, {
        method,
        headers,
        body,
        redirect: "manual",
      });
      const passed = new Headers(reply.headers);
      passed.delete("content-encoding");
      passed.delete("content-length");
      return new Response(await reply.arrayBuffer(), { status: reply.status, headers: passed });
    },
  });
  return { url: way.url.origin, seen, stop: () => way.stop(true) };
};

/** Sends everything on to another server, bodies too. */
const startRedirect = (to: string) =>
  Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: ({ url, headers }) => {
      const { pathname, search } = new URL(url);
      return new Response(null, {
        status: 307,
        headers: {
          location: `${to}${pathname}${search}`,
          "access-control-allow-origin": headers.get("origin") ?? "*",
          "access-control-allow-headers": "*",
        },
      });
    },
  });

/** How many tasks wait, in whatever store there is. */
const WAITING = `(async () => {
  let waiting = 0;
  for (const { name } of await indexedDB.databases()) {
    const db = await new Promise((resolve, reject) => {
      const opening = indexedDB.open(name);
      opening.onsuccess = () => resolve(opening.result);
      opening.onerror = () => reject(opening.error);
    });
    if (db.objectStoreNames.contains("rows")) {
      const rows = await new Promise((resolve) => {
        const reading = db.transaction("rows").objectStore("rows").getAll();
        reading.onsuccess = () => resolve(reading.result);
      });
      waiting += rows.filter(({ edit }) => edit !== null).length;
    }
    db.close();
  }
  return waiting;
})()`;
