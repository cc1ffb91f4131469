import { signal } from "@preact/signals";

/** What the popup shows: saving, the list of tasks to open, or one of them. */
export type Screen =
  | { readonly kind: "save" }
  | { readonly kind: "tasks" }
  | { readonly kind: "task"; readonly id: string };

export const screen = signal<Screen>({ kind: "save" });

/** Whether tabs are closed once they are saved. */
export const closes = signal(false);

/** Whether tabs leave their task once they are open. */
export const takesOut = signal(false);

/** The task that something was last saved to. */
export const lastTaskId = signal<string | null>(null);
