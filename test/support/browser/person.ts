import type { BrowserContext, Page } from "playwright-core";
import { buildBinary, serve } from "../program.ts";
import { until } from "../replies.ts";
import { testDirectory } from "../server.ts";
import { visitor } from "../web/visitor.ts";

export const PASSWORD = "a horse, a battery and a staple";
export const EMAIL = "ann@example.org";

/**
 * Starts a new server without an owner from the executable. Returns it with the setup code that it printed. A directory
 * that is made in a hook is gone after it: a test that starts the server again names one that was made before.
 */
export const freshServer = async (words: readonly string[] = [], data = testDirectory()) => {
  const binary = await buildBinary();
  const server = await serve(binary, ["--data", data, ...words]);
  // It prints its address first, then the setup link.
  await until(() => server.printed().includes("docket owner link"));
  const code = /setup#(\S+)/.exec(server.printed())?.[1] ?? "";
  return { data, binary, server, code };
};

/** Fills in the sign-in form and sends it. */
export const signIn = async (page: Page, password = PASSWORD, email = EMAIL): Promise<void> => {
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await press(page, "button", "Sign in");
};

/** Presses a button or follows a link, and waits for the next page. */
export const press = async (page: Page, role: "button" | "link", name: string): Promise<void> => {
  const target = page.getByRole(role, { name, exact: true }).first();
  await Promise.all([page.waitForEvent("load"), target.click()]);
};

/** The first heading of the page. */
export const heading = (page: Page): Promise<string> =>
  page.getByRole("heading", { level: 1 }).innerText();

/** Becomes the owner of a new server, with the code that it printed, and goes to the account area. */
export const setUp = async (page: Page, code: string): Promise<void> => {
  await page.goto("/setup");
  await page.getByLabel("Setup code").fill(code);
  await page.getByLabel("E-mail").fill(EMAIL);
  await page.getByLabel("New password").fill(PASSWORD);
  await press(page, "button", "Create account");
  await page.goto("/account");
};

/**
 * Signs a browser in as the owner of a new server, as `setUp` does, without its pages. `address` is where the browser finds the
 * server at `url`.
 */
export const becomeOwner = async (
  browser: BrowserContext,
  { url, code }: { readonly url: string; readonly code: string },
  address = url,
): Promise<void> => {
  const owner = visitor({ url });
  const { status } = await owner.post("/setup", { code, email: EMAIL, password: PASSWORD });
  if (status !== 303) throw new Error("The server could not be set up.");
  const kept = {
    url: address,
    httpOnly: true,
    sameSite: "Lax" as const,
    expires: Date.now() / 1_000 + 86_400,
  };
  const cookies = [...owner.cookies].map(([name, value]) => ({ name, value, ...kept }));
  await browser.addCookies(cookies);
};
