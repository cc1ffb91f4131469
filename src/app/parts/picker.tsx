import type { ComponentChildren } from "preact";
import { usePopover } from "./popover.ts";

type PickerProps = {
  readonly label: string;
  readonly button: ComponentChildren;
  readonly class?: string;
  readonly children: (close: () => void) => ComponentChildren;
};

/** A button that opens a small box beside it. A press outside or Escape closes it. */
export const Picker = ({ label, button, class: name = "", children }: PickerProps) => {
  const { open, root, close } = usePopover(".popover button, .popover input", ".menu-button");
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
