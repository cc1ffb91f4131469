import { Shown, shownLines } from "./shown.tsx";

/** Characters of a text that stand on the page itself. */
const SHORT = 300;
/** Characters before and behind what differs that are shown with it. */
const CONTEXT = 40;

type ExcerptProps = {
  readonly text: string;
  /** What became of it: it is there no more, or it is there now. */
  readonly as: "del" | "ins";
  /** What is shown at once; else its beginning. */
  readonly short?: string;
  /** Characters that may be shown when more is asked for: see `roomFor`. */
  readonly room: number;
};

/** A text that was, or became, part of a record: a long one is cut, and the rest can be opened. */
export const Excerpt = ({ text, as: Mark, short = shortened(text), room }: ExcerptProps) => (
  <>
    <Mark>
      <Shown text={short || "(empty)"} />
    </Mark>
    {short !== text && (
      <details>
        <summary>
          All {text.length} characters of {Mark === "del" ? "what was" : "what it is then"}
        </summary>
        <pre>
          <bdi>{shownLines(text.slice(0, room).toWellFormed())}</bdi>
        </pre>
        {text.length > room && <p>{text.length - room} more characters are not shown here.</p>}
      </details>
    )}
  </>
);

type FromToProps = {
  readonly from: string | null;
  readonly to: string | null;
  readonly room: number;
};

/** What a value was and what it became; null for none. Of long texts, the part that differs. */
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
 * How many characters of each long text may be opened, so that no page grows without bound: few long ones
 * are shown whole, of many each has its share.
 */
export const roomFor = (texts: readonly (string | null | undefined)[]): number => {
  const long = texts.filter((text) => (text ?? "").length > SHORT).length;
  return Math.max(1_000, Math.floor(40_000 / Math.max(2, long)));
};

export const shortened = (text: string): string =>
  text.length > SHORT ? `${text.slice(0, SHORT).toWellFormed()}…` : text;

/** Of two long texts, the parts in which they differ, with what stands around them. */
const excerpts = (from: string, to: string): readonly [string, string] => {
  if (from.length <= SHORT && to.length <= SHORT) return [from, to];
  const shorter = Math.min(from.length, to.length);
  let head = 0;
  while (head < shorter && from[head] === to[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && from.at(-1 - tail) === to.at(-1 - tail)) tail += 1;
  const part = (text: string): string => {
    const [start, end] = [Math.max(0, head - CONTEXT), Math.max(0, tail - CONTEXT)];
    const cut = text.slice(start, text.length - end).toWellFormed();
    return `${start > 0 ? "…" : ""}${shortened(cut)}${end > 0 && cut.length <= SHORT ? "…" : ""}`;
  };
  return [part(from), part(to)];
};
