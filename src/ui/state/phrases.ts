import { signal } from "@preact/signals";

type Phrases = typeof import("../words/phrases.ts");

/** What reads days in plain words; null until it is loaded. */
export const phrases = signal<Phrases | null>(null);

let loading: Promise<void> | null = null;

/** Loads it, when somebody is about to type a day. Without it, words stay words. */
export const loadPhrases = (): void => {
  loading ??= import("../words/phrases.ts").then(
    (loaded) => void (phrases.value = loaded),
    () => void (loading = null),
  );
};
