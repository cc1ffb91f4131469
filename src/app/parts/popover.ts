import { useEffect, useRef } from "preact/hooks";
import { useSignal } from "@preact/signals";

/**
 * What every box beside a button does: when it opens, `first` (a selector) gets the focus; a press outside closes it; and
 * `close` gives the focus back to `button`.
 */
export const usePopover = (first: string, button: string) => {
  const open = useSignal(false);
  const root = useRef<HTMLDivElement>(null);
  const close = (): void => {
    open.value = false;
    root.current?.querySelector<HTMLElement>(button)?.focus();
  };
  useEffect(() => {
    if (!open.value) return;
    root.current?.querySelector<HTMLElement>(first)?.focus();
    const outside = (event: Event): void => {
      if (!root.current?.contains(event.target as Node)) open.value = false;
    };
    addEventListener("pointerdown", outside);
    return () => removeEventListener("pointerdown", outside);
  }, [open.value]);
  return { open, root, close };
};
