import type { BunFile } from "bun";
import { printableJson, UNPRINTABLE } from "../domain/base/text.ts";
import { formatInstant, type Instant } from "../domain/base/instant.ts";
import type { Run } from "./command.ts";
import { UsageError } from "../domain/base/usage.ts";
import { passwordProblem, startHasher } from "../domain/people/password.ts";

/** Writes lines to a standard stream. */
export type Lines = {
  /** Resolves once the reader has taken the line, or is gone. */
  readonly write: (line: string) => Promise<void>;
  /** Writes the beginning of a line. */
  readonly begin: (text: string) => Promise<void>;
  /** Resolves once the reader has taken everything. A pipe holds 64 KiB; the rest would be lost when the process ends. */
  readonly end: () => Promise<void>;
};

/**
 * The reader may stop reading (`docket serve | head -1`): the server keeps running. This does not use Node's
 * streams, which would add 4 ms to every start.
 */
export const linesTo = (file: BunFile): Lines => {
  const sink = file.writer();
  const begin = (text: string): Promise<void> =>
    quietly(() => {
      void sink.write(text);
      return sink.flush();
    });
  return { write: (line) => begin(`${line}\n`), begin, end: () => quietly(() => sink.end()) };
};

/** Ignores failures: there is nobody left to report them to. */
const quietly = async (work: () => unknown): Promise<void> => {
  try {
    await work();
  } catch {}
};

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

/** "1 task", "2 tasks". `nouns` is for those that take no s. */
export const counted = (count: number, noun: string, nouns = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : nouns}`;

const pad = (text: string, width: number): string =>
  text + " ".repeat(width - Bun.stringWidth(text));

/** Asks for a new password for `email` and returns its hash. Refuses a password that is easy to guess. */
export const askPassword = async (run: Run, email: string): Promise<string> => {
  const password = await run.readSecret("New password: ");
  const problem = passwordProblem(password, email);
  if (problem !== null) throw new UsageError(problem);
  return startHasher().hash(password);
};

const LIBRARY = process.platform === "darwin" ? "libSystem.B.dylib" : "libc.so.6";

/**
 * Ends the process at once. `process.exit` would let Bun close the database first, and SQLite would then
 * write and sync once more. If the C library's `_exit` cannot be called, the process kills itself.
 */
export const halt = (code: number): void => {
  try {
    const { dlopen } = require("bun:ffi") as typeof import("bun:ffi");
    dlopen(LIBRARY, { _exit: { args: ["i32"], returns: "void" } }).symbols._exit(code);
  } catch {
    process.kill(process.pid, "SIGKILL");
  }
};
