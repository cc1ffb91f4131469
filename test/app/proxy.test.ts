import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { inBrowser, lookAt, startBrowser } from "../support/browser/browser.ts";
import { PASSWORD, EMAIL, signIn, setUp } from "../support/browser/person.ts";
import { testDirectory } from "../support/server.ts";
import { add, eventually, saved, startHome, titles, withOthers } from "../support/app/desk.ts";

/** How a proxy in front of Docket asks for a sign-in of its own. */
type Asks = "for a password" | "on another page" | "on a page in place of the answer" | "nothing";

const WANTED = `Basic ${btoa("me:pw")}`;

const REFUSED: Readonly<Record<Asks, (() => Response) | null>> = {
  nothing: null,
  "for a password": () =>
    new Response("no", { status: 401, headers: { "www-authenticate": 'Basic realm="home"' } }),
  "on another page": () => Response.redirect("https://login.example/", 302),
  "on a page in place of the answer": () =>
    new Response("<!doctype html><title>Sign in</title>", {
      headers: { "content-type": "text/html" },
    }),
};

/** Passes on what comes with the password or the cookie that it asks for. */
const startGuard = (server: string) => {
  let asks: Asks = "nothing";
  const guard = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: async (request) => {
      const refused = REFUSED[asks];
      const { headers, method } = request;
      const isKnown =
        asks === "for a password"
          ? headers.get("authorization") === WANTED
          : (headers.get("cookie") ?? "").includes("guard=known");
      if (refused && !isKnown) return refused();
      const { pathname, search } = new URL(request.url);
      const body = method === "POST" ? await request.text() : null;
      const init = { method, headers, body, redirect: "manual", decompress: false } as const;
      return fetch(`${server}${pathname}${search}`, init);
    },
  });
  return {
    url: `http://127.0.0.1:${guard.port}`,
    ask: (next: Asks): void => void (asks = next),
    stop: () => guard.stop(true),
  };
};

inBrowser("Behind a proxy that asks for a sign-in of its own,", () => {
  const data = testDirectory();
  let home: Awaited<ReturnType<typeof startHome>>;
  let guard: ReturnType<typeof startGuard>;
  let browser: Browser;
  let device: Awaited<ReturnType<typeof withOthers>>["device"];

  beforeAll(async () => {
    home = await startHome(data);
    guard = startGuard(home.url);
    browser = await startBrowser();
    const page = await browser.newPage({ baseURL: home.url });
    await setUp(page, home.code);
    await page.close();
    ({ device } = await withOthers(home));
  });
  afterAll(async () => {
    await browser?.close();
    await guard?.stop();
    await home?.stop();
  });

  const signedIn = async (options = {}): Promise<Page> => {
    const context = await browser.newContext({ baseURL: guard.url, ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(30_000);
    await page.goto("/sign-in?next=/tasks/open");
    await signIn(page, PASSWORD, EMAIL);
    await saved(page);
    return page;
  };
  const server = async (): Promise<readonly string[]> =>
    (await device("GET", "/tasks")).json.tasks.map(({ title }: { title: string }) => title);

  test("the app works with its password, and says who cannot get through", async () => {
    guard.ask("for a password");
    const httpCredentials = { username: "me", password: "pw" };
    const page = await signedIn({ httpCredentials });
    await add(page, "Through the password");
    await saved(page);
    expect(await server()).toContain("Through the password");
    const banner = page.getByText("A proxy in front of Docket asks for a password of its own.");
    await banner.waitFor();
    expect(await lookAt(page, "banner-password")).toEqual([]);
    await page.getByRole("button", { name: "OK" }).click();
    await page.reload();
    await saved(page);
    expect(await banner.count()).toBe(0);
    await page.context().close();
  });

  const SAID = {
    "on another page": "The server's address leads to another one",
    "on a page in place of the answer": "A proxy in front of Docket asks for a sign-in of its own",
  } as const;
  for (const asks of ["on another page", "on a page in place of the answer"] as const)
    test(`the app works with its cookie; once that has ended it says so, and where to go (asked ${asks})`, async () => {
      guard.ask("nothing");
      const page = await signedIn();
      await page.context().addCookies([{ name: "guard", value: "known", url: guard.url }]);
      guard.ask(asks);
      await add(page, `With the cookie, asked ${asks}`);
      await saved(page);
      expect(await server()).toContain(`With the cookie, asked ${asks}`);
      await page.context().clearCookies({ name: "guard" });
      await add(page, `Without it, asked ${asks}`);
      const banner = page.locator(".banner");
      await banner.getByText(SAID[asks]).waitFor();
      expect(await banner.innerText()).toContain("1 change waits in this browser.");
      expect(await lookAt(page, `banner-proxy-${asks.length}`)).toEqual([]);
      expect(
        await banner
          .getByRole("link", { name: "What the proxy must let pass" })
          .getAttribute("href"),
      ).toBe(`${guard.url}/docs/guides/operating#behind-a-proxy`);
      const there = banner.getByRole("link", { name: "Sign in there" });
      const path = (await there.getAttribute("href")) ?? "";
      await page.context().addCookies([{ name: "guard", value: "known", url: guard.url }]);
      // From now on, the app may get through by itself, and the banner with its link may go.
      await page.goto(path);
      await page.waitForURL(/\/tasks\/open/);
      await eventually(async () => (await server()).includes(`Without it, asked ${asks}`));
      await saved(page);
      expect(await banner.count()).toBe(0);
      expect(await titles(page)).toContain(`Without it, asked ${asks}`);
      await page.context().close();
    });

  test("a message never covers the line that says whether all is saved", async () => {
    guard.ask("nothing");
    const page = await signedIn();
    for (const [at, width] of [1280, 1000, 720, 390].entries()) {
      await page.setViewportSize({ width: 1280, height: 800 });
      await add(page, `Added ${at}`);
      await page.setViewportSize({ width, height: 800 });
      if (width < 700) await page.getByRole("button", { name: "More" }).click();
      const line = page.locator(".sync");
      await line.hover();
      const [above, below] = [
        await page.locator(".notice").boundingBox(),
        await line.boundingBox(),
      ];
      if (!above || !below) throw new Error("Both are on the screen.");
      const isApart =
        above.x >= below.x + below.width ||
        above.y + above.height <= below.y ||
        above.y >= below.y + below.height;
      expect([width, isApart]).toEqual([width, true]);
    }
    await page.context().close();
  });
});
