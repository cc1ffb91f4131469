import type { ApiKey } from "../../domain/people/api-key.ts";
import type { DayCount } from "../../db/calls/activity-pages.ts";
import { DAY, formatInstant, type Instant } from "../../domain/base/instant.ts";
import { keyLabel } from "../keys/form.tsx";

type ChartProps = { readonly series: readonly Series[]; readonly days: readonly number[] };

/**
 * Calls per day: a panel for each key, all on one scale. Each bar shows its number, so nothing depends on
 * colour, and a table has the same numbers for anyone who cannot see the chart.
 */
export const Chart = ({ series, days }: ChartProps) => {
  const most = Math.max(1, ...series.flatMap(({ calls }) => calls));
  const span = `${dateOf(days[0] ?? 0)} to ${dateOf(days.at(-1) ?? 0)}`;
  return (
    <section>
      <h2>Calls per day</h2>
      <p class="quiet-text">{`${span}, in UTC. All bars use the same scale.`}</p>
      <div class="chart">
        {series.map((one, at) => (
          <KeyFigure
            key={one.name}
            id={`chart-${at}`}
            of={one}
            days={days}
            most={most}
            more=" The table below lists each day."
          />
        ))}
      </div>
      <DataTable series={series} days={days} />
    </section>
  );
};

/** The calls of one key, day by day. `more` says to a screen reader where each day is listed, if it is. */
export const KeyFigure = ({ of, ...panel }: PanelProps) => (
  <figure>
    <figcaption>
      <bdi>{of.name}</bdi>: {callsIn(of.total)}
    </figcaption>
    <Panel of={of} {...panel} />
  </figure>
);

const callsIn = (count: number): string => (count === 1 ? "1 call" : `${count} calls`);

// In SVG units: 14 bars, with numbers above and days below.
const CELL = 24;
const BAR = 16;
const FLOOR = 80;
const TALLEST = 64;

type PanelProps = {
  readonly id: string;
  readonly of: Series;
  readonly days: readonly number[];
  readonly most: number;
  readonly more?: string;
};

const Panel = ({ id, of: { name, calls, total }, days, most, more = "" }: PanelProps) => (
  <svg
    role="img"
    viewBox={`0 0 ${CELL * days.length} ${FLOOR + 16}`}
    aria-labelledby={`${id}-title`}
    aria-describedby={`${id}-desc`}
    font-size="10"
    text-anchor="middle"
    fill="currentColor"
  >
    <title id={`${id}-title`}>{`Calls per day by ${name}`}</title>
    <desc id={`${id}-desc`}>{`${callsIn(total)} in ${days.length} days.${more}`}</desc>
    <line x1="0" x2={CELL * days.length} y1={FLOOR} y2={FLOOR} stroke="currentColor" />
    {days.map((day, at) => (
      <Bar key={day} at={at} day={day} count={calls[at] ?? 0} most={most} />
    ))}
  </svg>
);

type BarProps = {
  readonly at: number;
  readonly day: number;
  readonly count: number;
  readonly most: number;
};

const Bar = ({ at, day, count, most }: BarProps) => {
  // A single call stays visible next to thousands.
  const height = count === 0 ? 0 : Math.max(1, Math.round((count / most) * TALLEST));
  const middle = at * CELL + CELL / 2;
  return (
    <>
      {count > 0 && (
        <>
          <rect x={middle - BAR / 2} y={FLOOR - height} width={BAR} height={height} />
          <text x={middle} y={FLOOR - height - 4}>
            {shortNumber(count)}
          </text>
        </>
      )}
      <text x={middle} y={FLOOR + 12}>
        {Number(dateOf(day).slice(8))}
      </text>
    </>
  );
};

const DataTable = ({ series, days }: ChartProps) => (
  <details>
    <summary>Show as a table</summary>
    <div class="table">
      <table class="rows">
        <caption class="quiet-text">Calls per day, in UTC</caption>
        <thead>
          <tr>
            <th scope="col">Day</th>
            {series.map(({ name }) => (
              <th key={name} scope="col">
                <bdi>{name}</bdi>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.map((day, at) => (
            <tr key={day}>
              <th scope="row">{dateOf(day)}</th>
              {series.map(({ name, calls }) => (
                <td key={name} data-label={name}>
                  {calls[at] ?? 0}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  </details>
);

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

const dateOf = (day: number): string => formatInstant(day * DAY).slice(0, 10);

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
const shortNumber = (count: number): string => {
  if (count < 10_000) return String(count);
  if (count < 1_000_000) return `${Math.round(count / 1_000)}k`;
  return `${Math.round(count / 1_000_000)}M`;
};
