import { printableJson, UNPRINTABLE } from "../domain/base/text.ts";
import { formatInstant, type Instant } from "../domain/base/instant.ts";
import type { Run } from "./command.ts";

/** A value in a row. Objects occur only with `--json`. */
type Value = number | string | readonly string[] | Readonly<Record<string, unknown>> | null;

export type Row = Readonly<Record<string, Value>>;

/** Prints a list: one JSON array with `--json`, otherwise columns for people; `none` if it is empty. */
export const printList = (run: Run, rows: readonly Row[], none: string): void => {
  if (run.has("json")) return run.print(printableJson(rows));
  if (rows.length === 0) return run.say(none);
  const columns = Object.keys(rows[0] ?? {});
  const cells = rows.map((row) => columns.map((column) => cell(row[column])));
  const lines = [columns.map(heading), ...cells];
  const widths = columns.map((_, at) =>
    lines.reduce((width, line) => Math.max(width, Bun.stringWidth(line[at] ?? "")), 0),
  );
  for (const line of lines) {
    run.print(
      line
        .map((text, at) => pad(text, widths[at] ?? 0))
        .join("  ")
        .trimEnd(),
    );
  }
};

const heading = (column: string): string => column.replaceAll("_", " ").toUpperCase();

export const time = (instant: Instant | null): string | null =>
  instant === null ? null : formatInstant(instant);

const cell = (value: Value | undefined): string =>
  plain(Array.isArray(value) ? value.join(",") : String(value ?? "-"));

/** Names come from people and programs: replaces characters that could control a terminal. */
export const plain = (text: string): string => text.replaceAll(UNPRINTABLE, "�");

const pad = (text: string, width: number): string =>
  text + " ".repeat(width - Bun.stringWidth(text));
