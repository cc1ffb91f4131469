import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { type Device, syncNow } from "./_device.ts";

/** Presses a button of the options page, whose tab is brought to the front as a hand would. */
export const press = async ({ options }: Device, selector: string): Promise<void> => {
  await options.bringToFront();
  await options.click(selector);
};

/** What the options page says. */
type Seen = Readonly<Record<"problem" | "queue" | "report" | "status", string>> & {
  readonly tasks: readonly string[];
};

/** Read in one piece: read one by one they would be of different moments. */
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

/** Changes a task that an agent changes too, opens one tab more, and saves the window into a new task. */
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

/** Presses the button, and returns the page in the window that the browser opens for it, once it is there. */
export const signInWindow = async (device: Device): Promise<Page> => {
  const [opened] = await Promise.all([
    device.context.waitForEvent("page"),
    press(device, "#sign-in"),
  ]);
  await opened.waitForURL(/\/(sign-in|oauth)/);
  return opened;
};

/** Waits until the options page says so. */
export const shows = async ({ options }: Device, wanted: Partial<Seen>): Promise<void> => {
  const see = () => options.evaluate<Seen>(SEEN);
  let seen = await see();
  for (let tries = 0; tries < 100 && !Bun.deepEquals({ ...seen, ...wanted }, seen); tries += 1) {
    await Bun.sleep(50);
    seen = await see();
  }
  expect(seen).toMatchObject(wanted);
};

/** Each sends what it has, then takes what the other sent. */
export const settle = async (one: Device, other: Device): Promise<void> => {
  for (const device of [one, other, one]) await syncNow(device);
};

/** A page of ann's account, where the window of the extension has signed her in, as a tab beside it. */
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

/** Signs a device out on her page of devices, and means it. */
export const endDevice = (device: Device, server: string, name: string): Promise<void> =>
  accountPage(device, `${server}/account/devices`, async (page) => {
    page.once("dialog", (question) => void question.accept());
    await page.getByRole("button", { name: `Sign out ${name}` }).click();
    await page.getByRole("row", { name: `${name} signed out` }).waitFor();
  });
