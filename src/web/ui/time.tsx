import { formatInstant, type Instant } from "../../domain/base/instant.ts";

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
