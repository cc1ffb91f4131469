import { browser } from "./api.ts";

/** A value that outlives the worker, in the browser's storage. */
export type Kept<T> = {
  readonly read: () => Promise<T>;
  readonly write: (value: T) => Promise<void>;
  readonly forget: () => Promise<void>;
  /** Calls `listener` after each change, wherever it was made. */
  readonly watch: (listener: () => void) => void;
};

type ReadAs<T> = (stored: unknown) => T;

/** Returns the value under a name that outlives the browser too. `readAs` turns whatever is stored into a proper value. */
export const kept = <T>(name: string, readAs: ReadAs<T>): Kept<T> => keptIn("local", name, readAs);

/** The same until the browser ends, for what names its tabs and windows: it numbers them anew at each start. */
export const keptForSession = <T>(name: string, readAs: ReadAs<T>): Kept<T> =>
  keptIn("session", name, readAs);

const keptIn = <T>(area: "local" | "session", name: string, readAs: ReadAs<T>): Kept<T> => ({
  read: async () => readAs((await browser.storage[area].get(name))[name]),
  write: (value) => browser.storage[area].set({ [name]: value }),
  forget: () => browser.storage[area].remove(name),
  watch: (listener) =>
    browser.storage[area].onChanged.addListener((changes) => {
      if (name in changes) listener();
    }),
});

/** In ms. People let go of a tab by then. */
const PATIENCE = 10_000;
const PAUSE = 250;

/** Does something with tabs. Chrome refuses all of it while someone drags one, so that is tried again for a while. */
export const patiently = async <T>(act: () => Promise<T>): Promise<T> => {
  const end = Date.now() + PATIENCE;
  for (;;) {
    try {
      return await act();
    } catch (error) {
      if (!isDragged(error) || Date.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
  }
};

const isDragged = (error: unknown): boolean =>
  error instanceof Error && error.message.includes("cannot be edited right now");
