import { ALL_PLACES } from "../views/places.ts";

type Sheet = readonly (readonly [title: string, lines: readonly (readonly [string, string])[]])[];

/** The sheet of keys, in the order in which people learn them. */
export const SHEET: Sheet = [
  [
    "Anywhere",
    [
      ["n", "New task"],
      ["/", "Search"],
      ["Ctrl K", "Find or do anything"],
      ["Ctrl V", "Add pasted links or lines"],
      ["u", "Undo"],
      ["?", "This list"],
      ["Esc", "Close, or clear the selection"],
    ],
  ],
  [
    "In a list, or on the board",
    [
      ["j k", "Next, previous task"],
      ["o", "Open the task"],
      ["e", "Finish or reopen"],
      ["m", "Move to a folder"],
      ["d", "Set the due date"],
      ["t", "Open its tabs"],
      ["#", "Delete, or restore from the trash"],
      ["Alt ↑ ↓", "Move up, down"],
      ["Alt ← →", "Move to another column"],
    ],
  ],
  [
    "Several at once",
    [
      ["x", "Select"],
      ["Shift ↑ ↓", "Extend the selection"],
      ["Ctrl A", "Select all"],
      ["Ctrl C", "Copy as Markdown"],
    ],
  ],
  [
    "At a tab or a folder",
    [
      ["Alt ↑ ↓", "Move it up, down"],
      ["x m #", "Select, move, remove a tab"],
    ],
  ],
  ["Go to", ALL_PLACES.map(({ key, name }) => [`g ${key}`, name] as const)],
];
