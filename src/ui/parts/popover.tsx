import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { keyOf } from "../keys/meaning.ts";
import { openLayer } from "../state/back.ts";

type PopoverProps = {
  readonly label: string;
  readonly button: ComponentChildren;
  readonly class?: string;
  /** What the box is to a screen reader. */
  readonly role: "group" | "menu";
  /** What a key does while the box is open, apart from Escape. */
  readonly onKey?: (event: KeyboardEvent, close: () => void) => void;
  readonly children: (close: () => void) => ComponentChildren;
};

/**
 * A button that opens a small box beside it. The box's first control then has the focus. Escape, Back and a press outside
 * close the box. `close` gives the focus back to the button.
 */
export const Popover = (props: PopoverProps) => {
  const { label, button, class: name = "", role, onKey, children } = props;
  const open = useSignal(false);
  const root = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const close = (): void => {
    open.value = false;
    opener.current?.focus();
  };
  useLayoutEffect(() => (open.value ? openLayer(close) : undefined), [open.value]);
  useEffect(() => {
    if (!open.value) return;
    root.current?.querySelector<HTMLElement>(`.popover :is(${CONTROLS})`)?.focus();
    const outside = (event: Event): void => {
      if (!root.current?.contains(event.target as Node)) open.value = false;
    };
    addEventListener("pointerdown", outside);
    return () => removeEventListener("pointerdown", outside);
  }, [open.value]);
  return (
    <div
      class={`menu ${name}`}
      ref={root}
      onKeyDown={(event) => {
        if (!open.value) return;
        event.stopPropagation();
        if (keyOf(event) === "Escape") close();
        else onKey?.(event, close);
      }}
    >
      <button
        ref={opener}
        type="button"
        class="menu-button"
        aria-haspopup={role === "menu" ? "menu" : undefined}
        aria-expanded={open.value}
        aria-label={label}
        title={label}
        onClick={() => (open.value = !open.value)}
      >
        {button}
      </button>
      {open.value && (
        <div class="popover" role={role} aria-label={label}>
          {children(close)}
        </div>
      )}
    </div>
  );
};

const CONTROLS = "a, button, input";
