import { shortcutOf } from "../keys/meaning.ts";
import { singleKeys } from "../keys/setting.ts";
import { moveToFirst } from "../state/selection.ts";
import { isStillTyping, isTyping } from "../keys/still-typing.ts";

type TabActs = {
  readonly move: () => void;
  readonly select: () => void;
  readonly remove: () => void;
  readonly shift: (by: -1 | 1) => void;
  readonly copy: () => void;
};

/** What a key does while the keyboard is at a tab: the same keys as for tasks. */
export const tabKey = (event: KeyboardEvent, acts: TabActs): (() => void) | undefined => {
  const { altKey, ctrlKey, metaKey, shiftKey } = event;
  const key = shortcutOf(event);
  if (isTyping(event.target)) return undefined;
  if (ctrlKey || metaKey)
    return key === "c" && getSelection()?.isCollapsed !== false ? acts.copy : undefined;
  if (altKey && key === "ArrowUp") return () => acts.shift(-1);
  if (altKey && key === "ArrowDown") return () => acts.shift(1);
  if (isStillTyping(key, event)) return undefined;
  const row = event.currentTarget as HTMLElement;
  if (key === "ArrowUp") return () => focusBeside(row, -1);
  if (key === "ArrowDown") return () => focusBeside(row, 1);
  if (key === "Delete" || (key === "#" && singleKeys.value)) return acts.remove;
  if (!singleKeys.value || shiftKey) return undefined;
  return {
    j: () => focusBeside(row, 1),
    k: () => focusBeside(row, -1),
    m: acts.move,
    x: acts.select,
  }[key];
};

/** The heads of groups lie between the tabs. */
const focusBeside = (row: HTMLElement, by: -1 | 1): void => {
  const rows = [...(row.parentElement?.querySelectorAll(".tab") ?? [])];
  const next = rows[rows.indexOf(row) + by];
  if (next) next.querySelector<HTMLElement>(".title")?.focus();
  else if (by > 0 && row.closest(".inbox")) moveToFirst();
};
