/** One number of the bench, with what it is held against. */
export type Line = {
  readonly job: string;
  readonly what: string;
  /** What both sides are counted in. */
  readonly unit: string;
  readonly docket: number;
  /** Null where a number has nothing beside it. */
  readonly floor: number | null;
  /** What is held against the goal: mostly the ratio of the two, else Docket's own number. */
  readonly value: number;
  /** The middle half of the rounds. */
  readonly low: number;
  readonly high: number;
  /** Null for a line that is there to be known. */
  readonly goal: Goal | null;
  /** Latencies in ms, the generator's share of a core, and whatever else may explain the number. */
  readonly more: Readonly<Record<string, number>>;
};

export type Goal = { readonly at: "least" | "most"; readonly value: number };

export const isReached = ({ goal, value }: Pick<Line, "goal" | "value">): boolean | null =>
  goal === null ? null : goal.at === "least" ? value >= goal.value : value <= goal.value;

/** Whether it is Docket's own number that is held against the goal, and no ratio. */
export const isOwn = ({ docket, value }: Line): boolean => value === docket;

/** A number as it is shown: three digits that matter. */
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

/** The lines as a table of plain text, which Markdown reads as a table too. */
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

/** The ratio by processor time for each reply: it stays as it is where others use the machine too. */
const byProcessor = ({ more }: Line): string => {
  const { docket_processor_us: ours, floor_processor_us: theirs } = more;
  return ours === undefined || theirs === undefined ? "" : shown(theirs / ours);
};

/** Docket's own latencies, of jobs in which they say something. */
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
