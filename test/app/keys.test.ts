import { describe, expect, test } from "bun:test";
import { Glob } from "bun";
import type { CDPSession } from "playwright-core";
import { shortcutOf } from "../../src/ui/keys/meaning.ts";
import { inBrowser } from "../support/browser/browser.ts";
import { afterTyping, eventually, titles, useDesk } from "../support/app/desk.ts";

// What a key means: on keyboards of other scripts, with Caps Lock, and right after someone typed.

type Key = Pick<KeyboardEvent, "code" | "key" | "shiftKey">;

const of = ({ key, code, shiftKey }: Key): string =>
  shortcutOf({ key, code, shiftKey } as KeyboardEvent);

const key = (typed: string, code: string, shiftKey = false): Key => ({
  key: typed,
  code,
  shiftKey,
});

describe("A shortcut is", () => {
  test.each<readonly [why: string, pressed: Key, shortcut: string]>([
    ["the letter of a Latin keyboard", key("j", "KeyJ"), "j"],
    ["the letter, wherever AZERTY has it", key("a", "KeyQ"), "a"],
    ["the letter, wherever Dvorak has it", key("k", "KeyV"), "k"],
    ["the sign, wherever Dvorak has it", key("/", "BracketLeft"), "/"],
    ["the letter without Caps Lock", key("J", "KeyJ"), "j"],
    ["the letter with both Caps Lock and Shift", key("j", "KeyJ", true), "j"],
    ["the letter of full width", key("ｎ", "KeyN"), "n"],
    ["an accented letter as it is", key("é", "Digit2"), "é"],
    ["a pound sign as it is", key("£", "Digit3", true), "£"],
    ["the place of a Cyrillic letter", key("л", "KeyK"), "k"],
    ["the place of a capital Cyrillic letter", key("О", "KeyJ", true), "j"],
    ["the place of the Russian number sign", key("№", "Digit3", true), "#"],
    ["the place of a Greek letter", key("ξ", "KeyJ"), "j"],
    ["the place of a Hebrew letter", key("מ", "KeyN"), "n"],
    ["the place of an Arabic letter", key("ى", "KeyN"), "n"],
    ["the place of two Arabic letters on one key", key("لا", "KeyB"), "b"],
    ["the place of an Arabic letter where / is", key("ظ", "Slash"), "/"],
    ["the place of an Arabic question mark", key("؟", "Slash", true), "?"],
    ["the place of a Korean letter", key("ㅜ", "KeyN"), "n"],
    ["the place of a Thai letter", key("ื", "KeyN"), "n"],
    ["the letter, where nobody knows the place", key("л", ""), "л"],
    ["the name of a key without a letter", key("ArrowDown", "ArrowDown"), "ArrowDown"],
  ])("%s", (_, pressed, shortcut) => expect(of(pressed)).toBe(shortcut));
});

test("Nothing of the app, the extension or the pages reads keys but the files that decide what they mean", async () => {
  const deciding = ["src/ui/keys/meaning.ts", "src/web/assets/app.js"];
  const reads =
    /\bevent\.(key|code|which)\b|\bkeyCode\b|\bisComposing\b|\.(key|code) [!=]== "(Enter|Esc|Arrow|Tab)|\(\{[^)]*\b(key|code)\b[^)]*\}(: KeyboardEvent)?\) =>.*(Enter|Escape)/;
  const readers: string[] = [];
  for await (const path of new Glob("src/{app,ui,extension,web}/**/*.{ts,tsx,js}").scan())
    if (reads.test((await Bun.file(path).text()).replaceAll("event as StorageEvent).key", "")))
      readers.push(path);
  expect(readers.toSorted()).toEqual(deciding);
});

inBrowser("In Chromium, shortcuts", () => {
  const desk = useDesk({
    prepare: async ({ device }) => {
      for (const title of ["first", "second"]) await device("POST", "/tasks", { title });
    },
  });

  /** Presses a key as a keyboard of another layout does. */
  const press = async (typed: string, code: string, modifiers = 0): Promise<void> => {
    const session: CDPSession = await desk.context.newCDPSession(desk.page);
    const pressed = { key: typed, code, modifiers };
    await session.send("Input.dispatchKeyEvent", { type: "rawKeyDown", ...pressed });
    await session.send("Input.dispatchKeyEvent", { type: "keyUp", ...pressed });
    await session.detach();
  };
  const CONTROL = 2;
  const SHIFT = 8;
  const dialog = (name: string) => desk.page.getByRole("dialog", { name });

  test("are pressed on a Russian keyboard", async () => {
    const { page, open } = desk;
    await open("/tasks/open");
    await press("п", "KeyG");
    await press("ш", "KeyI");
    await page.waitForURL("**/tasks/inbox");
    await press(",", "Slash", SHIFT);
    await dialog("Keyboard shortcuts").waitFor();
    await page.keyboard.press("Escape");
    await press(".", "Slash");
    await page.waitForURL("**/tasks/search");
    await press("Л", "KeyK", CONTROL);
    await dialog("Find or do anything").waitFor();
    expect(desk.faults).toEqual([]);
  });

  test("are the same with Caps Lock: J goes down and selects nothing", async () => {
    const { page, open } = desk;
    await open("/tasks/open");
    await eventually(async () => (await titles(page)).length === 2, "both tasks");
    await press("J", "KeyJ");
    await press("J", "KeyJ");
    await eventually(
      () => page.evaluate("document.activeElement.matches('.row:last-child .title')"),
      "the second row has the focus",
    );
    expect(await page.getByText("selected").count()).toBe(0);
    await press("K", "KeyK", SHIFT);
    await page.getByText("2 selected").waitFor();
  });

  test("are text for a second after a field has closed", async () => {
    const { page, open } = desk;
    await open("/tasks/open");
    await eventually(async () => (await titles(page)).length === 2, "both tasks");
    await press("j", "KeyJ");
    await press("n", "KeyN");
    await dialog("New task").waitFor();
    await page.keyboard.type("pay");
    await page.keyboard.press("Escape");
    // Typing went on.
    await press("x", "KeyX");
    await press("e", "KeyE");
    await press("n", "KeyN");
    await press("#", "Digit3", SHIFT);
    await press("Delete", "Delete");
    await afterTyping(page);
    await press("x", "KeyX");
    await page.getByText("1 selected").waitFor();
    expect(await dialog("New task").count()).toBe(0);
    expect(await titles(page)).toHaveLength(2);
  });
});
