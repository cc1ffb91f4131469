import type { Page as Chromium } from "playwright-core";
import type { Page as Firefox } from "puppeteer-core";

/** What a person does in a browser, whichever it is. Places are CSS selectors; the first match counts. */
export type Hands = {
  readonly open: (url: string) => Promise<void>;
  readonly click: (place: string) => Promise<void>;
  readonly fill: (place: string, text: string) => Promise<void>;
  readonly choose: (place: string, value: string) => Promise<void>;
  /** Types at the caret. */
  readonly type: (text: string) => Promise<void>;
  /** Presses keys one after the other, such as `Enter` or `Alt+ArrowDown`. */
  readonly press: (...keys: readonly string[]) => Promise<void>;
  readonly offline: (isOffline: boolean) => Promise<void>;
  /** Evaluates a script, given as text. */
  readonly ask: <T>(script: string) => Promise<T>;
};

export const handsInChromium = (page: Chromium): Hands => ({
  open: async (url) => void (await page.goto(url)),
  click: (place) => page.click(place),
  fill: (place, text) => page.fill(place, text),
  choose: async (place, value) => void (await page.selectOption(place, value)),
  type: (text) => page.keyboard.type(text),
  press: async (...keys) => {
    for (const key of keys) await page.keyboard.press(key);
  },
  offline: (isOffline) => page.context().setOffline(isOffline),
  ask: (script) => page.evaluate(script),
});

export const handsInFirefox = (page: Firefox): Hands => ({
  open: async (url) => void (await page.goto(url)),
  click: (place) => page.locator(place).click(),
  fill: (place, text) => page.locator(place).fill(text),
  choose: async (place, value) => void (await page.select(place, value)),
  type: (text) => page.keyboard.type(text),
  press: async (...chords) => {
    for (const chord of chords) {
      const keys = chord.split("+") as Parameters<typeof page.keyboard.down>[0][];
      for (const key of keys) await page.keyboard.down(key);
      for (const key of keys.toReversed()) await page.keyboard.up(key);
    }
  },
  offline: (isOffline) => page.setOfflineMode(isOffline),
  ask: (script) => page.evaluate(script) as Promise<never>,
});
