/** A date's day where the person is, as `YYYY-MM-DD`. */
export const isoDay = (date: Date): string =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, "0"))
    .join("-");

/** The day that is `days` after another. */
export const addDays = (day: string, days: number): string => {
  const date = noonOf(day);
  date.setDate(date.getDate() + days);
  return isoDay(date);
};

/** The same day some months later; where that month is shorter, its last day. */
export const addMonths = (day: string, months: number): string => {
  const date = noonOf(day);
  const wanted = date.getDate();
  date.setDate(1);
  date.setMonth(date.getMonth() + months);
  const last = new Date(date.getFullYear(), date.getMonth() + 1, 0).getDate();
  date.setDate(Math.min(wanted, last));
  return isoDay(date);
};

/** Noon, so that no change of summer time moves the day. */
export const noonOf = (day: string): Date => new Date(`${day}T12:00:00`);

const WEEKDAY = new Intl.DateTimeFormat(undefined, { weekday: "short" });
const SHORT = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });
const DAY_PARTS = { weekday: "short", day: "numeric", month: "short" } as const;
const DAY = new Intl.DateTimeFormat(undefined, DAY_PARTS);
const DAY_AND_YEAR = new Intl.DateTimeFormat(undefined, { ...DAY_PARTS, year: "numeric" });
const LONG = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });
const MOMENT = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const CLOCK = new Intl.DateTimeFormat(undefined, { timeStyle: "short" });

/** A due day in few words: "Today", "Tomorrow", "Fri", "3 Dec". */
export const dueWords = (due: string, today: string): string => {
  const date = noonOf(due);
  if (Number.isNaN(date.getTime())) return due;
  if (due === today) return "Today";
  if (due === addDays(today, 1)) return "Tomorrow";
  if (due === addDays(today, -1)) return "Yesterday";
  if (due > today && due < addDays(today, 7)) return WEEKDAY.format(date);
  return (due.slice(0, 4) === today.slice(0, 4) ? SHORT : LONG).format(date);
};

/** A day with its weekday: "Fri, 3 Dec", in another year "Fri, 3 Dec 2027". */
export const dayWords = (day: string, today: string): string =>
  (day.slice(0, 4) === today.slice(0, 4) ? DAY : DAY_AND_YEAR).format(noonOf(day));

/** The day of a moment, as a heading of a list: "Today", "Yesterday", "Fri, 3 Dec". */
export const dayHeading = (iso: string, today: string): string => {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return "At some time";
  const day = isoDay(date);
  if (day === today) return "Today";
  return day === addDays(today, -1) ? "Yesterday" : dayWords(day, today);
};

/** The time of day of a moment. */
export const timeWords = (iso: string): string => {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? "" : CLOCK.format(date);
};

/** How urgent a due day is, for its colour. */
export const dueState = (due: string, today: string): "late" | "later" | "now" =>
  due < today ? "late" : due === today ? "now" : "later";

/** A moment in words: the time if it was today, else the day; `whole` gives both. */
export const momentWords = (iso: string, whole = false): string => {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  if (whole) return MOMENT.format(date);
  return isoDay(date) === isoDay(new Date()) ? CLOCK.format(date) : SHORT.format(date);
};

/** The next Monday, for "next week". */
export const nextMonday = (today: string): string =>
  addDays(today, (8 - noonOf(today).getDay()) % 7 || 7);
