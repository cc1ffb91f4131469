import { browser } from "./api.ts";

/** A value that outlives the worker and the browser, in `storage.local`. */
export type Kept<T> = {
  readonly read: () => Promise<T>;
  readonly write: (value: T) => Promise<void>;
  readonly forget: () => Promise<void>;
  /** Calls `listener` after each change, wherever it was made. */
  readonly watch: (listener: () => void) => void;
};

/** Returns the value under a name. `readAs` turns whatever is stored into a proper value. */
export const kept = <T>(name: string, readAs: (stored: unknown) => T): Kept<T> => ({
  read: async () => readAs((await browser.storage.local.get(name))[name]),
  write: (value) => browser.storage.local.set({ [name]: value }),
  forget: () => browser.storage.local.remove(name),
  watch: (listener) =>
    browser.storage.local.onChanged.addListener((changes) => {
      if (name in changes) listener();
    }),
});
