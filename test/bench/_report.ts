/** One number of the benchmark, and what it is compared with. */
export type Line = {
  readonly job: string;
  readonly what: string;
  /** The unit of both sides. */
  readonly unit: string;
  readonly docket: number;
  /** Null if there is nothing to compare with. */
  readonly floor: number | null;
  /**
   * The number that must reach the goal: mostly the ratio of the two, otherwise Docket's own
   * number.
   */
  readonly value: number;
  /** The middle half of the rounds. */
  readonly low: number;
  readonly high: number;
  /** Null for a line that is only for information. */
  readonly goal: Goal | null;
  /**
   * Latencies in ms, the generator's share of a core, and anything else that may explain the
   * number.
   */
  readonly more: Readonly<Record<string, number>>;
};

export type Goal = { readonly at: "least" | "most"; readonly value: number };

export const isReached = ({ goal, value }: Pick<Line, "goal" | "value">): boolean | null =>
  goal === null ? null : goal.at === "least" ? value >= goal.value : value <= goal.value;

/** Whether Docket's own number must reach the goal, and not a ratio. */
export const isOwn = ({ docket, value }: Line): boolean => value === docket;

/** Formats a number with three significant digits. */
export const shown = (value: number): string =>
  Number.isNaN(value)
    ? "-"
    : Math.abs(value) >= 1_000
      ? Math.round(value).toLocaleString("en-US")
      : String(Number(value.toPrecision(3)));

const HEADS = [
  "job",
  "Docket",
  "floor",
  "unit",
  "ratio",
  "spread",
  "by CPU",
  "goal",
  "",
  "p50, p99 ms",
];

/** The lines as a plain text table that is also a Markdown table. */
export const table = (lines: readonly Line[]): string => {
  const rows = [HEADS, ...lines.map(cells)];
  const widths = HEADS.map((_, column) =>
    Math.max(3, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const written = rows.map(
    (row) => `| ${row.map((cell, at) => pad(cell, widths[at] ?? 0, at)).join(" | ")} |`,
  );
  const rule = `| ${widths.map((width, at) => (isNumber(at) ? `${"-".repeat(width - 1)}:` : "-".repeat(width))).join(" | ")} |`;
  return [written[0], rule, ...written.slice(1)].join("\n");
};

const isNumber = (column: number): boolean => [1, 2, 4, 6].includes(column);

const pad = (cell: string, width: number, column: number): string =>
  isNumber(column) ? cell.padStart(width) : cell.padEnd(width);

/**
 * The ratio of processor time per reply, which stays the same when other programs use the machine
 * too.
 */
const byProcessor = ({ more }: Line): string => {
  const { docket_processor_us: ours, floor_processor_us: theirs } = more;
  return ours === undefined || theirs === undefined ? "" : shown(theirs / ours);
};

/** Docket's own latencies, for jobs in which they mean something. */
const latencies = ({ more }: Line): string => {
  const { docket_p50_ms: p50, docket_p99_ms: p99 } = more;
  return p50 === undefined || p99 === undefined ? "" : `${shown(p50)}, ${shown(p99)}`;
};

const cells = (line: Line): readonly string[] => {
  const { what, unit, docket, floor, value, low, high, goal } = line;
  const reached = isReached(line);
  return [
    what,
    shown(docket),
    floor === null ? "" : shown(floor),
    unit,
    isOwn(line) ? "" : shown(value),
    `${shown(low)} to ${shown(high)}`,
    byProcessor(line),
    goal === null ? "" : `at ${goal.at} ${shown(goal.value)}`,
    reached === null ? "" : reached ? "reached" : "MISSED",
    latencies(line),
  ];
};
