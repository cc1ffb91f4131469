export type Row = readonly string[];

/** Formats a number with three significant digits. */
export const shown = (value: number): string =>
  Number.isNaN(value)
    ? "-"
    : Math.abs(value) >= 1_000
      ? Math.round(value).toLocaleString("en-US")
      : String(Number(value.toPrecision(3)));

/** The rows below their heads, as plain text that is also a Markdown table. The first column is of words. */
export const table = (heads: Row, rows: readonly Row[]): string => {
  const widths = heads.map((_, column) =>
    Math.max(3, ...[heads, ...rows].map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: Row): string =>
    `| ${row.map((cell, at) => pad(cell, widths[at] ?? 0, at)).join(" | ")} |`;
  const rule = widths.map((width, at) =>
    at === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`,
  );
  return [line(heads), `| ${rule.join(" | ")} |`, ...rows.map(line)].join("\n");
};

const pad = (cell: string, width: number, column: number): string =>
  column === 0 ? cell.padEnd(width) : cell.padStart(width);
