import type { Machine } from "./_machine.ts";
import { isOwn, isReached, type Line, shown } from "./_report.ts";

const ROW = 26;
const LABELS = 330;
const BARS = 500;
const TEXT = 140;
const MARGIN = 16;
const HEAD = 56;

/** Readable on light and dark pages, and without anything that runs. */
const STYLE = `
  text { font: 13px system-ui, sans-serif; fill: #1f2328 }
  .small { font-size: 11px; fill: #59636e }
  .reached { fill: #2f7d4f }
  .missed { fill: #c2410c }
  .known { fill: #7d8590 }
  .goal { stroke: #1f2328; stroke-width: 2 }
  .track { fill: #8c959f; fill-opacity: 0.18 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 }
    .small { fill: #9198a1 }
    .reached { fill: #4ac27a }
    .missed { fill: #f0883e }
    .goal { stroke: #e6edf3 }
  }`;

/**
 * Draws the lines that have a goal. Each bar is scaled so that all goals are at the same place,
 * marked by a line. For "at least" the bar should pass the line, for "at most" stop before it.
 */
export const chart = (
  lines: readonly Line[],
  { cpu, cores, system, bun, date }: Machine,
): string => {
  const bars = lines.filter(({ goal }) => goal !== null);
  const height = HEAD + bars.length * ROW + MARGIN;
  const width = LABELS + BARS + 2 * MARGIN;
  const where = `${cpu}, ${cores} cores, ${system}, Bun ${bun}, ${date.slice(0, 10)}`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    "<title>Docket against its floor</title>",
    `<style>${STYLE}\n</style>`,
    `<text x="${MARGIN}" y="22">Docket against a bare server that does the same work; the mark is the goal</text>`,
    `<text x="${MARGIN}" y="40" class="small">${escaped(where)}</text>`,
    ...bars.map((line, at) => barOf(line, HEAD + at * ROW)),
    "</svg>",
    "",
  ].join("\n");
};

/** Where the goal is, as a share of the bars' width. */
const GOAL_AT = 0.6;

const barOf = (line: Line, y: number): string => {
  const goal = line.goal?.value ?? 1;
  const x = MARGIN + LABELS;
  const full = BARS - TEXT;
  const length = Math.min((line.value / goal) * GOAL_AT, 1) * full;
  const mark = x + GOAL_AT * full;
  const kind = isReached(line) === true ? "reached" : "missed";
  const told = `${shown(line.value)}${isOwn(line) ? ` ${line.unit}` : ""} (at ${line.goal?.at} ${shown(goal)})`;
  return [
    `<text x="${MARGIN}" y="${y + 15}">${escaped(line.what)}</text>`,
    `<rect class="track" x="${x}" y="${y + 3}" width="${full}" height="16" rx="2"/>`,
    `<rect class="${kind}" x="${x}" y="${y + 3}" width="${length.toFixed(1)}" height="16" rx="2"/>`,
    `<line class="goal" x1="${mark}" x2="${mark}" y1="${y}" y2="${y + 22}"/>`,
    `<text class="small" x="${x + full + 6}" y="${y + 15}">${escaped(told)}</text>`,
  ].join("\n");
};

const escaped = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
