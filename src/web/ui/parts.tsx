import { hexColour, knownColour, nearestName, SHADES } from "../../domain/tasks/colour.ts";
import type { ComponentChildren } from "preact";
import type { Sentence, Who } from "../../domain/history/event.ts";
import { formatInstant, type Instant } from "../../domain/base/instant.ts";

/** A colour with its name. One that we cannot draw is shown as its client wrote it. */
export const Colour = ({ text }: { readonly text: string }) => {
  const hex = hexColour(text);
  const name = hex === null ? knownColour(text) : nearestName(hex);
  const shade = hex ?? SHADES[name ?? ""];
  if (name === null || shade === undefined) return <Shown text={text} />;
  return (
    <span class="swatch">
      {/* Our policy allows no style in a page, but it allows the attributes of a drawing. */}
      <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
        <circle cx="6" cy="6" r="5.5" fill={shade} />
      </svg>
      {name}
    </span>
  );
};

/** A number of things: "1 task", "2 tasks". */
export const count = (number: number, noun: string): string =>
  `${number} ${noun}${number === 1 ? "" : "s"}`;

const UNITS = ["bytes", "KiB", "MiB", "GiB", "TiB"] as const;

/** A size in words, such as `1.5 MiB`. */
export const bytes = (size: number): string => {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log2(Math.max(1, size)) / 10));
  const value = size / 1024 ** power;
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[power]}`;
};

type RowMenuProps = {
  /** What the row is about. */
  readonly name: string;
  /** Links, and forms of one button. */
  readonly children: ComponentChildren;
};

/** What can be done with a row, behind one button. Opens without script too; the script closes it again. */
export const RowMenu = ({ name, children }: RowMenuProps) => (
  <details class="row-menu" name="row-menu">
    <summary aria-label={`Actions for ${shownText(name)}`} title="Actions">
      <span aria-hidden="true">⋯</span>
    </summary>
    <div class="menu">{children}</div>
  </details>
);

type RowsProps = {
  readonly caption: string;
  readonly columns: readonly string[];
  /** Whether each row is one line, as long as the window is wide enough for a table. */
  readonly oneLine?: boolean;
  readonly children: ComponentChildren;
};

/** A table whose rows become cards on a phone. Each cell repeats its column's name in `data-label`. */
export const Rows = ({ caption, columns, oneLine = false, children }: RowsProps) => (
  <div class="table">
    <table class={oneLine ? "rows one-line" : "rows"}>
      <caption class="quiet-text">{caption}</caption>
      <thead>
        <tr>
          {columns.map((name) => (
            <th key={name} scope="col" data-label={name}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </div>
);

/** A sentence about what happened, with a name in it that someone else chose. */
export const Said = ({ of: [before, name, after] }: { readonly of: Sentence }) => (
  <>
    {before}
    {name && <Shown text={name} />}
    {after}
  </>
);

/** Who did something. */
export const Doer = ({ of: { words, name } }: { readonly of: Who }) => (
  <Said of={[words, name, ""]} />
);

/**
 * Someone else's text within a line of ours. Its direction does not affect the rest of the line, and
 * characters that would steer the line (control characters, changes of direction) are shown, not obeyed.
 */
export const Shown = ({ text }: { readonly text: string }) => <bdi>{shownText(text)}</bdi>;

/** The same for places that take no elements: attributes, options, charts. */
export const shownText = (text: string): string =>
  text.replaceAll(/[\t\n\r\p{Zl}\p{Zp}]/gu, " ").replaceAll(STEERING, "\uFFFD");

/** The same with its line breaks kept, for a `pre`. */
export const shownLines = (text: string): string =>
  text
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map(shownText)
    .join("\n");

const STEERING = /[\p{Cc}\p{Cs}\u202A-\u202E\u2066-\u2069]/gu;

const MONTHS =
  "January February March April May June July August September October November December".split(
    " ",
  );

/** A day in words, such as "4 March 2026". Takes `YYYY-MM-DD`. */
const dayWords = (date: string): string => {
  const [year = "", month = "", day = ""] = date.split("-");
  return `${Number(day)} ${MONTHS[Number(month) - 1]} ${year}`;
};

/** A moment in words, to the minute, in UTC: "4 March 2026, 12:00 UTC". */
export const momentWords = (at: Instant): string => {
  const text = formatInstant(at);
  return `${dayWords(text.slice(0, 10))}, ${text.slice(11, 16)} UTC`;
};

/** A moment. Our script rewrites it in the reader's own time zone and language. */
export const Time = ({ at }: { readonly at: Instant }) => (
  <time datetime={formatInstant(at)}>{momentWords(at)}</time>
);

/** A day, `YYYY-MM-DD`, wherever the reader is. Our script rewrites it in their language. */
export const Day = ({ date }: { readonly date: string }) => (
  <time datetime={date}>{dayWords(date)}</time>
);

/** A moment, or what to say if there was none. */
export const TimeOr = ({ at, none }: { readonly at: Instant | null; readonly none: string }) =>
  at === null ? <span class="quiet-text">{none}</span> : <Time at={at} />;
