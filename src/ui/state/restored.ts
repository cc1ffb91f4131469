import { effect, signal } from "@preact/signals";
import { state } from "./client.ts";

const PLACE = "docket-restored";

const read = (): boolean => localStorage.getItem(PLACE) !== null;

/** Whether the server was restored from a backup, and the person has not yet said that they know. */
export const wasRestored = signal(read());

export const dismissRestored = (): void => {
  localStorage.removeItem(PLACE);
  wasRestored.value = false;
};

/** Only the window that syncs notices it. It tells the others, and those that are opened later. */
export const watchRestored = (): void => {
  effect(() => {
    const { restoredAt } = state();
    if (restoredAt !== null) noteRestored(restoredAt);
  });
  addEventListener("storage", () => (wasRestored.value = read()));
};

let noted: number | null = null;

const noteRestored = (at: number): void => {
  if (at === noted) return;
  noted = at;
  localStorage.setItem(PLACE, String(at));
  wasRestored.value = true;
};
