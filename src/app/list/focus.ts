import { useLayoutEffect, useRef } from "preact/hooks";
import { cursor, cursorMoves } from "../state/selection.ts";

/**
 * Moves the focus to the row or card at the cursor, each time that the keyboard moved the cursor. A list that appears
 * leaves it where it is: someone may be typing what is searched for.
 */
export const useFocusAtCursor = (): void => {
  const moves = cursorMoves.value;
  const seen = useRef(moves);
  useLayoutEffect(() => {
    if (moves === seen.current) return;
    seen.current = moves;
    // A row that was out of view is drawn only after the list has scrolled.
    if (!focusCursor()) requestAnimationFrame(focusCursor);
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
