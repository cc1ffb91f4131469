import { useLayoutEffect } from "preact/hooks";
import { cursor, cursorMoves } from "../state/selection.ts";

/** Moves the focus to the row or card at the cursor, each time that the keyboard moved the cursor. */
export const useFocusAtCursor = (): void => {
  const moves = cursorMoves.value;
  useLayoutEffect(() => {
    // A row that was out of view is drawn only after the list has scrolled.
    if (moves > 0 && !focusCursor()) requestAnimationFrame(focusCursor);
  }, [moves]);
};

/** Returns whether the row at the cursor was there. */
const focusCursor = (): boolean => {
  const id = cursor.peek();
  if (id === null || document.querySelector("dialog[open]")) return true;
  const row = document.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"]`);
  row?.focus({ preventScroll: row.closest(".rows") !== null });
  return row !== null;
};
