import type { Signal } from "@preact/signals";
import { shortenedTo } from "../../domain/base/text.ts";
import { count } from "../words/names.ts";

// What a text field says below itself.

/** Says by how much a text is too long. It is never cut. */
export const TooLong = ({ by, children }: { readonly by: number; readonly children?: string }) =>
  by > 0 ? (
    <span class="field-note" role="status">
      {count(by, "character")} too long.{" "}
      {children ?? "It is saved whole, but other programs may show only its beginning."}
    </span>
  ) : null;

type LostTextProps = {
  readonly of: Signal<string | null>;
  /** Puts the text back in place of the one that is there. */
  readonly restore: (text: string) => void;
};

/** Says that a text has replaced what others wrote at the same time, and gives the way back to that. */
export const LostText = ({ of, restore }: LostTextProps) => {
  const text = of.value;
  return text === null ? null : (
    <span class="field-note" role="status">
      Someone else changed this too, to “{shortenedTo(text, 200)}”.{" "}
      <button type="button" class="link" onClick={() => restore(text)}>
        Use their version
      </button>
    </span>
  );
};
