import { effect, signal } from "@preact/signals";
import { openLayer } from "./back.ts";

/** What lies over the views: at most one at a time. */
export type Overlay =
  | { readonly kind: "new-task"; readonly text?: string }
  | { readonly kind: "palette" }
  | { readonly kind: "shortcuts" }
  | { readonly kind: "settings" }
  | { readonly kind: "bookmarklet" }
  | { readonly kind: "sign-out" }
  | { readonly kind: "move-tasks"; readonly ids: readonly string[] }
  | { readonly kind: "due"; readonly ids: readonly string[] }
  | { readonly kind: "history"; readonly id: string }
  | { readonly kind: "for-good"; readonly ids: readonly string[] }
  | {
      readonly kind: "move-tabs";
      readonly from: string;
      readonly tabs: readonly (number | string)[];
    }
  /** Chooses a task, or names a new one (`id` is then left out). */
  | {
      readonly kind: "pick-task";
      readonly label: string;
      /** Returns whether that went well; if not, the dialog stays. */
      readonly onPick: (picked: {
        readonly id?: string;
        readonly name: string;
      }) => Promise<boolean>;
    }
  | {
      readonly kind: "open-many";
      readonly urls: readonly string[];
    };

export const overlay = signal<Overlay | null>(null);

/** Whether the list of views is open, where the screen is too narrow to always show it. */
export const drawer = signal(false);

/** Back closes the list of views. Call it once. */
export const watchDrawer = (): void => {
  effect(() => (drawer.value ? openLayer(() => (drawer.value = false)) : undefined));
};

/** Whether the person is naming a new folder, at the side. */
export const namingFolder = signal(false);

/** Asks for the name of a new folder, at the side, wherever the person is. */
export const nameFolder = (): void => {
  drawer.value = matchMedia("(max-width: 700px)").matches;
  namingFolder.value = true;
};

export const show = (next: Overlay): void => {
  drawer.value = false;
  overlay.value = next;
};

export const hideOverlay = (): void => {
  overlay.value = null;
};
