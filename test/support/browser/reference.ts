import type { Page } from "playwright-core";

/** An operation from `/openapi.json`, with what is needed to find it on the page. */
export type Operation = { readonly link: string; readonly summary: string };

type Description = {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly summary?: string } | undefined>>>
  >;
};

/** Every operation in a server's own OpenAPI document. */
export const operationsAt = async (url: string): Promise<readonly Operation[]> => {
  const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as Description;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      // The package names its links like this.
      link: `link-${method}-${path.replaceAll(/[{}]/g, "-")}`,
      summary: operation?.summary ?? "",
    })),
  );
};

/** Loads the page again at one of its parts, and waits until it is drawn. */
export const openReference = async (page: Page, part = ""): Promise<void> => {
  // Without this, only the fragment would change, and the page would not reload.
  await page.goto("about:blank");
  await page.goto(part === "" ? "/docs" : `/docs#?route=${part}`);
  await page.locator("openapi-explorer main .operations-root > *").first().waitFor();
};

/** Follows a link in the side bar. */
export const goTo = (page: Page, link: string): Promise<void> =>
  page.locator(`[id="${link}"]`).click();

/** Enters an API key in the page and applies it. */
export const setKey = async (page: Page, key: string): Promise<void> => {
  await goTo(page, "link-auth");
  await page.getByPlaceholder("docket_live_").fill(key);
  await page.getByRole("button", { name: /^set$/i }).first().click();
};

/** Sends the request that the page shows and waits for the reply. Returns the status as the page shows it. */
export const execute = async (page: Page): Promise<string> => {
  const answered = page.waitForResponse((response) => response.url().includes("/api/public/"));
  await page.getByRole("button", { name: /^execute$/i }).click();
  await answered;
  const status = page.getByText("Response Status");
  await status.waitFor();
  return status.innerText();
};

/**
 * Records what a page really sends from now on: each request's method and path, with its cookies and origin. What the
 * app's service worker sends meanwhile is not the page's.
 */
export const watchCookies = (page: Page): Promise<string>[] => {
  const sent: Promise<string>[] = [];
  page.on("request", (request) => {
    const told = async (): Promise<string> => {
      const { cookie = "no cookie", origin = "no origin" } = await request.allHeaders();
      return `${request.method()} ${new URL(request.url()).pathname}: ${cookie}, ${origin}`;
    };
    sent.push(told());
  });
  return sent;
};

/**
 * Finishes every transition at once. Otherwise the package's colours take a while to change with the colour scheme.
 */
export const hurry = async (page: Page): Promise<void> => {
  const session = await page.context().newCDPSession(page);
  await session.send("Animation.enable");
  await session.send("Animation.setPlaybackRate", { playbackRate: 10_000 });
};
