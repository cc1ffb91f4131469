import { readIcons } from "./icons.macro.ts" with { type: "macro" };
import type { IconName } from "./icons.macro.ts";

export type { IconName } from "./icons.macro.ts";

const ICONS = readIcons();

/** A picture beside words, or inside a button that has a name of its own: screen readers pass over it. */
export const Icon = ({ name, size = 16 }: { readonly name: IconName; readonly size?: number }) => (
  <svg class="icon" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
    <path d={ICONS[name]} />
  </svg>
);
