import { hexColour } from "../../domain/tasks/colour.ts";
import { colourClass } from "../words/names.ts";
import { readIcons } from "./icons.macro.ts" with { type: "macro" };
import type { IconName } from "./icons.macro.ts";

/** The colour of a task or folder, as a dot. Without a colour, an empty ring. */
export const Dot = ({ colour }: { readonly colour: string | null }) => {
  const hex = hexColour(colour);
  return (
    <span
      class={`dot ${hex === null ? (colourClass(colour) ?? "none") : "own"}`}
      {...(hex === null ? {} : { style: { backgroundColor: hex } })}
      aria-hidden="true"
    />
  );
};

/** A folder in its colour, filled: nobody takes it for a task's circle. Without a colour it is grey. */
export const FolderIcon = ({
  colour,
  size = 16,
}: {
  readonly colour: string | null;
  readonly size?: number;
}) => {
  const hex = hexColour(colour);
  return (
    <svg
      class={`icon folder-icon ${hex === null ? (colourClass(colour) ?? "c-grey") : ""}`}
      {...(hex === null ? {} : { style: { "--dot": hex } })}
      width={size}
      height={size}
      viewBox="0 0 24 24"
      aria-hidden="true"
    >
      <path d={ICONS.folder} />
    </svg>
  );
};

export type { IconName } from "./icons.macro.ts";

const ICONS = readIcons();

/** A picture beside words, or inside a button that has a name of its own: screen readers pass over it. */
export const Icon = ({ name, size = 16 }: { readonly name: IconName; readonly size?: number }) => (
  <svg class="icon" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
    <path d={ICONS[name]} />
  </svg>
);

/** Docket's mark: a slip of paper, ticked. The account pages show it too. */
export const Mark = ({ size = 22 }: { readonly size?: number }) => (
  <svg class="mark" width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
    <rect width="32" height="32" rx="8" fill="#4353d6" />
    <path
      d="M9 6h9.2a2 2 0 0 1 1.4.6l3.8 3.8a2 2 0 0 1 .6 1.4V24a2 2 0 0 1-2 2H9a2 2 0 0 1-2-2V8a2 2 0 0 1 2-2z"
      fill="#fff"
    />
    <path
      d="M11.3 17.2l3 3 5.6-6.4"
      fill="none"
      stroke="#4353d6"
      stroke-width="2.6"
      stroke-linecap="round"
      stroke-linejoin="round"
    />
  </svg>
);
