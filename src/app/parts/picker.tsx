import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { useSignal } from "@preact/signals";

type PickerProps = {
  readonly label: string;
  readonly button: ComponentChildren;
  readonly class?: string;
  readonly children: (close: () => void) => ComponentChildren;
};

/** A button that opens a small box beside it. A press outside or Escape closes it. */
export const Picker = ({ label, button, class: name = "", children }: PickerProps) => {
  const open = useSignal(false);
  const root = useRef<HTMLDivElement>(null);
  const close = (): void => {
    open.value = false;
    root.current?.querySelector<HTMLElement>(".menu-button")?.focus();
  };
  useEffect(() => {
    if (!open.value) return;
    root.current?.querySelector<HTMLElement>(".popover button, .popover input")?.focus();
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
        if (event.key === "Escape") close();
      }}
    >
      <button
        type="button"
        class="menu-button"
        aria-expanded={open.value}
        aria-label={label}
        title={label}
        onClick={() => (open.value = !open.value)}
      >
        {button}
      </button>
      {open.value && (
        <div class="popover" role="group" aria-label={label}>
          {children(close)}
        </div>
      )}
    </div>
  );
};
