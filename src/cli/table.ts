import { formatInstant, type Instant } from "../domain/base/instant.ts";
import type { Run } from "./command.ts";

/** A value of a row. What is told apart further is only for `--json`. */
type Value = number | string | readonly string[] | Readonly<Record<string, unknown>> | null;

export type Row = Readonly<Record<string, Value>>;

/** Prints a list: one JSON array with `--json`, else columns for people. */
export const printList = (run: Run, rows: readonly Row[], none: string): void => {
  if (run.has("json")) return run.print(JSON.stringify(rows));
  if (rows.length === 0) return run.say(none);
  const columns = Object.keys(rows[0] ?? {});
  const cells = rows.map((row) => columns.map((column) => cell(row[column])));
  const lines = [columns.map((column) => column.replaceAll("_", " ").toUpperCase()), ...cells];
  const widths = columns.map((_, at) =>
    Math.max(...lines.map((line) => Bun.stringWidth(line[at] ?? ""))),
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

export const time = (instant: Instant | null): string | null =>
  instant === null ? null : formatInstant(instant);

const cell = (value: Value | undefined): string =>
  plain(Array.isArray(value) ? value.join(",") : String(value ?? "-"));

/** Names come from people and programs: what would steer a terminal is not printed. */
export const plain = (text: string): string => text.replaceAll(/\p{C}/gu, "�");

const pad = (text: string, width: number): string =>
  text + " ".repeat(width - Bun.stringWidth(text));
