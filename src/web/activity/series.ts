import type { ApiKey } from "../../domain/people/api-key.ts";
import type { DayCount } from "../../db/calls/activity-pages.ts";
import { DAY, formatInstant, type Instant } from "../../domain/base/instant.ts";
import { keyLabel } from "../keys/label.ts";

/** One panel of the chart: a key's calls, day by day. */
export type Series = {
  readonly name: string;
  readonly calls: readonly number[];
  readonly total: number;
};

const DAYS = 14;
/** The most keys with a panel of their own. All others share one. */
const MOST_KEYS = 6;

/** The days that the chart shows, in UTC, as days since 1970-01-01. The last is today. */
export const chartDays = (now: Instant): readonly number[] => {
  const today = Math.floor(now / DAY);
  return Array.from({ length: DAYS }, (_, at) => today - DAYS + 1 + at);
};

export const dateOf = (day: number): string => formatInstant(day * DAY).slice(0, 10);

/** The keys with the most calls, and all others together. Keys without calls are left out. */
export const seriesOf = (
  counts: readonly DayCount[],
  keys: ReadonlyMap<string, ApiKey>,
  days: readonly number[],
): readonly Series[] => {
  const all = [...Map.groupBy(counts, ({ keyId }) => keyId)]
    .map(([keyId, own]) => {
      const key = keys.get(keyId);
      const byDay = new Map(own.map(({ day, calls }) => [day, calls]));
      const calls = days.map((day) => byDay.get(day) ?? 0);
      return { name: key ? keyLabel(key) : keyId, calls, total: sum(calls) };
    })
    .toSorted((a, b) => b.total - a.total || (a.name < b.name ? -1 : 1));
  const rest = all.slice(MOST_KEYS);
  if (rest.length === 0) return all;
  const calls = days.map((_, at) => sum(rest.map((one) => one.calls[at] ?? 0)));
  const name = rest.length === 1 ? "1 other key" : `${rest.length} other keys`;
  return [...all.slice(0, MOST_KEYS), { name, calls, total: sum(calls) }];
};

const sum = (numbers: readonly number[]): number => numbers.reduce((total, n) => total + n, 0);

/** A count in up to four characters, to fit above a narrow bar. */
export const shortNumber = (count: number): string => {
  if (count < 10_000) return String(count);
  if (count < 1_000_000) return `${Math.round(count / 1_000)}k`;
  return `${Math.round(count / 1_000_000)}M`;
};
