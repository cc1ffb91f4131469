import { casual, GB } from "chrono-node/en";
import { isDate } from "../../domain/base/instant.ts";
import { addDays, isoDay, nextMonday, noonOf } from "./dates.ts";

// Days in plain words. This file and the library are a script of their own, loaded when somebody begins to type a task or a
// day: see `state/phrases.ts`.

/** A day, `YYYY-MM-DD`. */
type Day = string;

/**
 * Returns the day that a whole text means, such as "next friday", "1 dec", "+3" or "end of month", seen from `today`; null if
 * it means none. Weekdays and dates without a year are those that come next. `locale` says whether 1/2 is in January.
 */
export const dayOf = (text: string, today: Day, locale: string): Day | null => {
  const phrase = text
    .trim()
    .toLowerCase()
    .replaceAll(/\s+/g, " ")
    .replace(/^(?:by |due |on )?(?:the )?/, "");
  for (const [pattern, day] of OWN) {
    const found = pattern.exec(phrase);
    const meant = found && day(found.slice(1), today);
    if (meant) return meant;
  }
  return byLibrary(phrase, today, locale);
};

/**
 * Returns the day with which a title ends, such as "Buy milk tomorrow", and where its words begin; null if it ends with none.
 * What may well be meant otherwise does not count: "Ask May", "Read chapter 1/2", a day that is over, a time of day.
 */
export const dayAtEnd = (
  title: string,
  today: Day,
  locale: string,
): { readonly day: Day; readonly from: number } | null => {
  const starts = [...title.matchAll(/(?<=\s)\S+/g)].map(({ index }) => index).slice(-LONGEST);
  for (const from of starts) {
    const words = title.slice(from).trim().toLowerCase();
    const day = DOUBTFUL.test(words) ? null : dayOf(words, today, locale);
    if (day !== null && day >= today) return { day, from };
  }
  return null;
};

/** Words of the longest phrase: "by the end of next month". */
const LONGEST = 6;

const DOUBTFUL = new RegExp(
  `^(?:the )?(?:${[
    // "Ask May", "Catch some sun"
    "(?!tmr$|tmrw$|eom$|eoy$)[a-z]{3,4}",
    "march|april|june|july|august|september|october|november|december|weekend",
    // "Chapter 1/2", "Version 2.1", "Sonata no. 3", "The 2nd"
    "[+\\d./]+|\\d+(?:st|nd|rd|th)",
    // "Rent a car 3 days"
    "(?:an?|one|two|three|four|\\d+) ?(?:d|w|m|y|days?|weeks?|months?|years?)",
  ].join("|")})$`,
);

type Rule = readonly [
  pattern: RegExp,
  day: (found: readonly (string | undefined)[], today: Day) => Day | null,
];

const COUNTS: Readonly<Record<string, number>> = { a: 1, an: 1, one: 1, two: 2, three: 3, four: 4 };
const N = "(\\d{1,3}|an?|one|two|three|four)";
/** "in 3 weeks", "3 weeks", "+3w". */
const inUnits = (letter: string, unit: string): RegExp =>
  new RegExp(`^(?:(?:in )?${N} ?(?:${letter}|${unit}s?)|\\+(\\d{1,3})${letter})$`);
const counted = ([words, plus]: readonly (string | undefined)[]): number => {
  const text = words ?? plus ?? "";
  return COUNTS[text] ?? Number(text);
};

const MONTHS =
  "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?";
const SHORT = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const monthOf = (name = ""): number => SHORT.indexOf(name.slice(0, 3)) + 1;

/** What the library does not know, or takes for another day than people who plan do. */
const OWN: readonly Rule[] = [
  [/^(?:tod|tonight)$/, (_found, today) => today],
  [/^day after tomorrow$/, (_found, today) => addDays(today, 2)],
  [/^\+(\d{1,3})$/, (found, today) => addDays(today, counted(found))],
  [inUnits("d", "day"), (found, today) => addDays(today, counted(found))],
  [inUnits("w", "week"), (found, today) => addDays(today, 7 * counted(found))],
  [/^(?:in )?a fortnight$/, (_found, today) => addDays(today, 14)],
  [inUnits("m", "month"), (found, today) => plusMonths(today, counted(found))],
  [inUnits("y", "year"), (found, today) => plusMonths(today, 12 * counted(found))],
  [/^next week$/, (_found, today) => nextMonday(today)],
  [/^next month$/, (_found, today) => firstOf(today, 1)],
  [/^next year$/, (_found, today) => `${Number(today.slice(0, 4)) + 1}-01-01`],
  [/^(?:eom|end of (?:the |this )?month)$/, (_found, today) => addDays(firstOf(today, 1), -1)],
  [/^end of next month$/, (_found, today) => addDays(firstOf(today, 2), -1)],
  [/^(?:eoy|end of (?:the |this )?year)$/, (_found, today) => `${today.slice(0, 4)}-12-31`],
  [/^(\d{1,2})(?:st|nd|rd|th)$/, ([day], today) => comingDay(Number(day), today)],
  [
    new RegExp(`^(${MONTHS}) (\\d{1,2})(?:st|nd|rd|th)?$`),
    ([month, day], today) => comingDate(monthOf(month), Number(day), today),
  ],
  [
    new RegExp(`^(\\d{1,2})(?:st|nd|rd|th)?(?: of)? (${MONTHS})$`),
    ([day, month], today) => comingDate(monthOf(month), Number(day), today),
  ],
  [
    /^(\d{1,2})\.(\d{1,2})\.?$/,
    ([day, month], today) => comingDate(Number(month), Number(day), today),
  ],
];

/** The same day of a later month, or that month's last one: 31 January and a month is 28 February. */
const plusMonths = (day: Day, months: number): Day => {
  const last = addDays(firstOf(day, months + 1), -1);
  return `${last.slice(0, 8)}${[day.slice(8), last.slice(8)].toSorted()[0]}`;
};

/** The first day of a month: of the day's own, or of one that comes `months` later. */
const firstOf = (day: Day, months: number): Day => {
  const date = noonOf(`${day.slice(0, 8)}01`);
  date.setMonth(date.getMonth() + months);
  return isoDay(date);
};

/** The next such day of a month, today included; null if there is none in a year. */
const comingDay = (dayOfMonth: number, today: Day): Day | null => {
  for (let months = 0; months < 12; months += 1) {
    const day = `${firstOf(today, months).slice(0, 8)}${String(dayOfMonth).padStart(2, "0")}`;
    if (isDate(day) && day >= today) return day;
  }
  return null;
};

/** The next such date, today included; null if there is none in eight years. */
const comingDate = (month: number, dayOfMonth: number, today: Day): Day | null => {
  const rest = [month, dayOfMonth].map((part) => String(part).padStart(2, "0")).join("-");
  for (let years = 0; years <= 8; years += 1) {
    const day = `${Number(today.slice(0, 4)) + years}-${rest}`;
    if (isDate(day) && day >= today) return day;
  }
  return null;
};

/** A phrase that is a day as a whole, and no time of day. */
const byLibrary = (phrase: string, today: Day, locale: string): Day | null => {
  // "last friday" is the next one to a library that looks forward.
  if (phrase.startsWith("last ")) return null;
  const library = isMonthFirst(locale) ? casual : GB;
  const [found, ...more] = library.parse(phrase, { instant: noonOf(today) }, { forwardDate: true });
  if (!found || more.length > 0 || found.text !== phrase || found.end) return null;
  const { start } = found;
  if (start.isCertain("hour") || !DAYS.some((part) => start.isCertain(part))) return null;
  const day = isoDay(start.date());
  // 30 February is the second of March to the library.
  return start.isCertain("day") && Number(day.slice(8)) !== start.get("day") ? null : day;
};

const DAYS = ["day", "month", "weekday"] as const;

const isMonthFirst = (locale: string): boolean => {
  const parts = new Intl.DateTimeFormat(locale, { day: "numeric", month: "numeric" }).formatToParts(
    0,
  );
  return parts.find(({ type }) => type === "day" || type === "month")?.type === "month";
};
