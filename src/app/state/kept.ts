import { signal } from "@preact/signals";

/** Whether the browser keeps this copy even if it runs out of room; null if it does not say. */
export const isKept = signal<boolean | null>(null);

/** Whether the last edit did not reach this browser's store. Nothing then says that all is saved. */
export const isUnsaved = signal(false);
