import { expect } from "bun:test";
import { randomUUID } from "node:crypto";
import type { Page } from "playwright-core";
import { type Field, IN_PLACE } from "./fields.ts";
import { eventually } from "./desk.ts";

// How people come to a field, type into it, and save what they typed.

export const isInPlace = ({ row }: Field): boolean => row === IN_PLACE;

export const fieldIn = (page: Page, { role = "textbox", label }: Field) =>
  page.getByRole(role, { name: label, exact: true }).first();

/** A text that is nowhere else. */
export const newText = ({ typed = (word) => word }: Field): string =>
  typed(`w${randomUUID().slice(0, 8)}`);

/** Waits until the page is drawn as it is now. */
export const drawn = (page: Page): Promise<unknown> =>
  page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");

/** Opens the field, with the page below it in the browser's history. */
export const open = async (page: Page, field: Field): Promise<void> => {
  await openPage(page, field);
  const input = fieldIn(page, field);
  if (!(await input.isVisible())) await field.show?.(page);
  await input.waitFor();
};

/** Opens the page of the field. What another tab has left of a text that is edited in its place is saved then. */
export const openPage = async (page: Page, field: Field): Promise<void> => {
  const dialog = page.getByRole("dialog");
  if ((await dialog.count()) > 0) await page.keyboard.press("Escape");
  await follow(page, "/tasks/done");
  // What was typed before is saved.
  await eventually(async () => !(await page.evaluate<boolean>(IS_EDITED)));
  if (field.path.includes("?task=")) await follow(page, field.path.split("?")[0] ?? "");
  await follow(page, field.path);
  await drawn(page);
};

/** Whether the page keeps a text that was edited in its place and is not saved yet. */
const IS_EDITED = `Object.values(sessionStorage).some((text) => text.startsWith('{"was"'))`;

/** Follows a link inside the app. */
const follow = (page: Page, path: string): Promise<unknown> =>
  page.evaluate(`{
    const link = Object.assign(document.createElement("a"), { href: ${JSON.stringify(path)} });
    document.body.append(link);
    link.click();
    link.remove();
  }`);

/** Types a new text, or one behind the text that is edited in its place. */
export const type = async (page: Page, field: Field, text: string): Promise<void> => {
  const input = fieldIn(page, field);
  if (!isInPlace(field)) await input.fill("");
  await input.focus();
  await input.press("Control+End");
  await page.keyboard.type(isInPlace(field) ? ` ${text}` : text);
};

/** Presses the key that saves the text, if there is something to save and the field is there still. */
export const save = async (page: Page, field: Field): Promise<void> => {
  const input = fieldIn(page, field);
  if (field.texts !== null && (await input.isVisible())) await input.press(field.key ?? "Enter");
};

/** Notes which keys the browser says belong to an input method. For `compose`. */
export const WATCH_KEYS = `addEventListener("keydown", ({ isComposing }) => {
  globalThis.isComposing = isComposing;
}, { capture: true });`;

/** Presses a key that is an input method's, in Chromium. Enter then leaves the composed text, and Escape takes it away. */
export const compose = async (page: Page, field: Field, key: "Enter" | "Escape"): Promise<void> => {
  const session = await page.context().newCDPSession(page);
  const input = fieldIn(page, field);
  const before = await input.inputValue();
  const setTo = (text: string) =>
    session.send("Input.imeSetComposition", { text, selectionStart: 2, selectionEnd: 2 });
  await setTo("かな");
  const pressed = { key, code: key, windowsVirtualKeyCode: key === "Enter" ? 13 : 27 };
  await session.send("Input.dispatchKeyEvent", { type: "rawKeyDown", ...pressed });
  await session.send("Input.dispatchKeyEvent", { type: "keyUp", ...pressed });
  expect(await page.evaluate("globalThis.isComposing")).toBe(true);
  expect(await input.inputValue()).toBe(`${before}かな`);
  if (key === "Enter") await session.send("Input.insertText", { text: "かな" });
  else await setTo("");
  expect(await input.inputValue()).toBe(key === "Enter" ? `${before}かな` : before);
  await session.detach();
};

/** Presses Enter as Safari reports the one that has just ended a composition. */
export const pressEnterOfSafari = (page: Page): Promise<unknown> =>
  page.evaluate(`document.activeElement.dispatchEvent(new KeyboardEvent("keydown", {
    key: "Enter", code: "Enter", keyCode: 229, which: 229, bubbles: true, cancelable: true,
  }))`);
