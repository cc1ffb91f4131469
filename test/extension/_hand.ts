import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { type Device, syncNow } from "./_device.ts";

/** Presses a button of the options page. Brings its tab to the front first, as a person would. */
export const press = async ({ options }: Device, selector: string): Promise<void> => {
  await options.bringToFront();
  await options.click(selector);
};

/** What the options page shows. */
type Seen = Readonly<Record<"problem" | "queue" | "report" | "status", string>> & {
  readonly tasks: readonly string[];
};

/** Evaluated in one go. Read one by one, the values could be from different moments. */
const SEEN = `({
  ...Object.fromEntries(
    ["problem", "queue", "report", "status"].map((id) => [id, document.getElementById(id).textContent]),
  ),
  tasks: [...document.querySelectorAll("#tasks span")].map((span) => span.textContent).toSorted(),
})`;

export const openTabs = async (
  { context }: Device,
  web: URL,
  names: readonly string[],
): Promise<void> => {
  for (const name of names) await (await context.newPage()).goto(new URL(name, web).href);
};

/** Finishes a task that an agent is changing too, opens one more tab, and saves the window as a new task. */
export const finishAndSave = async (
  device: Device,
  web: URL,
  tab: string,
  title: string,
): Promise<void> => {
  await press(device, "#tasks li:has-text('Oslo and 1 more') button");
  await openTabs(device, web, [tab]);
  await press(device, "#save");
  await device.options.getByText(title).waitFor();
};

/** Presses Sign in. Returns the page in the window that the browser opens, once it has loaded. */
export const signInWindow = async (device: Device): Promise<Page> => {
  const [opened] = await Promise.all([
    device.context.waitForEvent("page"),
    press(device, "#sign-in"),
  ]);
  await opened.waitForURL(/\/(sign-in|oauth)/);
  return opened;
};

/** Waits until the options page shows what is wanted. */
export const shows = async ({ options }: Device, wanted: Partial<Seen>): Promise<void> => {
  const see = () => options.evaluate<Seen>(SEEN);
  let seen = await see();
  for (let tries = 0; tries < 100 && !Bun.deepEquals({ ...seen, ...wanted }, seen); tries += 1) {
    await Bun.sleep(50);
    seen = await see();
  }
  expect(seen).toMatchObject(wanted);
};

/** Syncs until both devices have each other's changes. */
export const settle = async (one: Device, other: Device): Promise<void> => {
  for (const device of [one, other, one]) await syncNow(device);
};

/** Opens a page of ann's account in a new tab. The extension's sign-in window has signed her in. */
const accountPage = async <T>(
  { context }: Device,
  address: string,
  work: (page: Page) => Promise<T>,
): Promise<T> => {
  const page = await context.newPage();
  await page.goto(address);
  const result = await work(page);
  await page.close();
  return result;
};

export const pairingCode = (device: Device, server: string): Promise<string> =>
  accountPage(device, `${server}/account/devices`, async (page) => {
    await page.click("form[action$='/pair'] button");
    return page.locator(".secret code").innerText();
  });

/** Signs a device out on ann's Devices page, and confirms it. */
export const endDevice = (device: Device, server: string, name: string): Promise<void> =>
  accountPage(device, `${server}/account/devices`, async (page) => {
    page.once("dialog", (question) => void question.accept());
    await page.getByRole("button", { name: `Sign out ${name}` }).click();
    await page.getByRole("row", { name: `${name} signed out` }).waitFor();
  });
