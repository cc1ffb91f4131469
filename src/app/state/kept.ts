import { signal } from "@preact/signals";

/** Whether the browser keeps this copy even if it runs out of room; null if it does not say. */
export const isKept = signal<boolean | null>(null);
