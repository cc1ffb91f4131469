import { Shown, shownLines } from "./parts.tsx";
import { characterStart, cutText, shortenedTo, shownName } from "../../domain/base/text.ts";

/** The most characters of a text that are shown at once. */
const SHORT = 300;
/** Characters shown before and after the part that differs. */
const CONTEXT = 40;

type ExcerptProps = {
  readonly text: string;
  /** Whether the text was removed or added. */
  readonly as: "del" | "ins";
  /** What is shown at once; by default, the beginning. */
  readonly short?: string;
  /** The most characters shown once it is opened: see `roomFor`. */
  readonly room: number;
};

/** A text that was removed from a record or added to it. A long one is cut, and the rest can be opened. */
export const Excerpt = ({ text, as: Mark, short = shortened(text), room }: ExcerptProps) => (
  <>
    <Mark>
      <Shown text={shownName(short, "(empty)")} />
    </Mark>
    {short !== text && (
      <details>
        <summary>
          Show all {text.length} characters of the {Mark === "del" ? "old" : "new"} text
        </summary>
        <pre>
          <bdi>{shownLines(cutText(text, room).toWellFormed())}</bdi>
        </pre>
        {text.length > room && <p>{text.length - room} more characters are not shown.</p>}
      </details>
    )}
  </>
);

type FromToProps = {
  readonly from: string | null;
  readonly to: string | null;
  readonly room: number;
};

/** The old value and the new one; null for none. Of long texts, the part that differs. */
export const FromTo = ({ from, to, room }: FromToProps) => {
  const [before, after] = excerpts(from ?? "", to ?? "");
  return (
    <>
      from {from === null ? "nothing" : <Excerpt text={from} as="del" short={before} room={room} />}{" "}
      to {to === null ? "nothing" : <Excerpt text={to} as="ins" short={after} room={room} />}
    </>
  );
};

/**
 * How many characters of each long text can be opened, so that no page grows without limit: a few long texts
 * are shown in full, many share the room.
 */
export const roomFor = (texts: readonly (string | null | undefined)[]): number => {
  const long = texts.filter((text) => (text ?? "").length > SHORT).length;
  return Math.max(1_000, Math.floor(40_000 / Math.max(2, long)));
};

export const shortened = (text: string): string => shortenedTo(text.toWellFormed(), SHORT);

/** The parts in which two long texts differ, with some context around them. */
const excerpts = (from: string, to: string): readonly [string, string] => {
  if (from.length <= SHORT && to.length <= SHORT) return [from, to];
  const shorter = Math.min(from.length, to.length);
  let head = 0;
  while (head < shorter && from[head] === to[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && from.at(-1 - tail) === to.at(-1 - tail)) tail += 1;
  const part = (text: string): string => {
    const start = characterStart(text, Math.max(0, head - CONTEXT));
    const end = Math.max(0, tail - CONTEXT);
    const cut = text.slice(start, characterStart(text, text.length - end)).toWellFormed();
    return `${start > 0 ? "…" : ""}${shortened(cut)}${end > 0 && cut.length <= SHORT ? "…" : ""}`;
  };
  return [part(from), part(to)];
};
