import { parse } from "csv-parse/sync";

/** A table as a file has it: rows of texts. */
export type Table = readonly (readonly string[])[];

/** Reads a table whose cells are parted by a sign (RFC 4180). Throws for quotes that do not close. */
export const readTable = (text: string, delimiter: string): Table =>
  parse(text, { delimiter, relaxColumnCount: true, relaxQuotes: true, skipEmptyLines: false });

/** A row by the names in its table's header, in lower case and trimmed. Of several of one name, the first counts. */
export type Row = ReadonlyMap<string, string>;

/** Returns the rows below a header, without those that are wholly empty. */
export const rowsOf = ([header = [], ...rows]: Table): readonly Row[] => {
  const names = header.map(plainName);
  return rows
    .filter((cells) => cells.some((cell) => cell.trim() !== ""))
    .map(
      (cells) => new Map(names.map((name, at) => [name, cells[at] ?? ""] as const).toReversed()),
    );
};

export const plainName = (name: string): string => name.trim().toLowerCase();

export const cellOf = (row: Row, name: string): string => row.get(name) ?? "";

/** Whether a table's first row has all these names. */
export const hasHeader = (table: Table, names: readonly string[]): boolean => {
  const header = (table[0] ?? []).map(plainName);
  return names.every((name) => header.includes(name));
};
