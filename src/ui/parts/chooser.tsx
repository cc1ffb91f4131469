import type { ComponentChildren } from "preact";
import { useComputed, useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { keyOf } from "../keys/meaning.ts";
import { typedIn } from "../state/typed.ts";

/** One line of a chooser. */
export type Choice = {
  readonly key: string;
  readonly shown: ComponentChildren;
  /**
   * While it runs, nothing else is chosen: a second Enter must not do it twice. It resolves to false if it failed: the
   * text then stays.
   */
  readonly run: () => unknown;
};

type ChooserProps = {
  readonly label: string;
  readonly placeholder: string;
  /** What is offered for what was typed, the best first. Asked again when a signal that it reads changes. */
  readonly choices: (text: string) => readonly Choice[];
  readonly none: string;
  /** The name of a button that chooses, as Enter does. */
  readonly action?: string;
  /** What stands between the list and that button. */
  readonly children?: ComponentChildren;
};

/**
 * A field and a list: typing narrows the list down, arrows move in it, Enter chooses. What was typed is there again, and
 * selected, when the same question is asked later.
 */
export const Chooser = ({ label, placeholder, choices, none, action, children }: ChooserProps) => {
  const text = typedIn(label);
  const at = useSignal(0);
  const offered = useComputed(() => choices(text.value)).value;
  const current = Math.min(at.value, offered.length - 1);
  const isRunning = useRef(false);
  const choose = async (choice: Choice | undefined): Promise<void> => {
    if (isRunning.current) return;
    isRunning.current = true;
    try {
      if (choice && (await choice.run()) !== false) text.value = "";
    } finally {
      isRunning.current = false;
    }
  };
  return (
    <div class="chooser">
      <input
        data-first
        role="combobox"
        aria-expanded="true"
        aria-controls="choices"
        aria-activedescendant={offered.length > 0 ? `choice-${current}` : undefined}
        aria-label={label}
        placeholder={placeholder}
        autocomplete="off"
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value;
          at.value = 0;
        }}
        onKeyDown={(event) => {
          const by = keyOf(event) === "ArrowDown" ? 1 : keyOf(event) === "ArrowUp" ? -1 : 0;
          if (by !== 0 && offered.length > 0) {
            event.preventDefault();
            at.value = (current + by + offered.length) % offered.length;
          }
          if (keyOf(event) !== "Enter") return;
          event.preventDefault();
          void choose(offered[current]);
        }}
      />
      <ul id="choices" role="listbox" aria-label={label} tabIndex={-1}>
        {offered.map((choice, index) => (
          <li
            key={choice.key}
            id={`choice-${index}`}
            role="option"
            aria-selected={index === current}
            ref={(line) => {
              if (index === current) line?.scrollIntoView({ block: "nearest" });
            }}
            onPointerMove={() => (at.value = index)}
            onClick={() => void choose(choice)}
          >
            {choice.shown}
          </li>
        ))}
      </ul>
      {offered.length === 0 && <p class="soft none">{none}</p>}
      {children}
      {action !== undefined && (
        <button
          type="button"
          class="button main wide choose"
          onClick={() => void choose(offered[current])}
        >
          {action}
        </button>
      )}
    </div>
  );
};
