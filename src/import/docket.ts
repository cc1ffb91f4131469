import { isObject, listField, type Payload } from "../domain/base/payload.ts";
import { type Table, TABLES_BY_NEED } from "../domain/base/record.ts";
import { decodeText } from "./decode.ts";
import type { Unreadable } from "./read.ts";

/** A record of Docket's own export, not checked yet. */
export type RawRecord = { readonly table: Table; readonly value: Payload };

/** Exports begin like this; those of the first versions did not name their format. */
const BEGINNING =
  /^\uFEFF?\{\s*"(?:format":\s*"docket\.export\/1"|account":\s*"[^"]*",\s*"server":)/;

/** Reads Docket's own export. Null for any other file. */
export const readDocket = (
  bytes: Uint8Array,
): { readonly records: readonly RawRecord[] } | Unreadable | null => {
  if (!BEGINNING.test(decodeText(bytes.subarray(0, 1_000)))) return null;
  try {
    const json: unknown = JSON.parse(decodeText(bytes));
    const records = isObject(json) && isObject(json["records"]) ? json["records"] : null;
    if (records === null) return { error: "broken" };
    return {
      records: TABLES_BY_NEED.flatMap((table) =>
        listField(records, table).flatMap((value) => (isObject(value) ? { table, value } : [])),
      ),
    };
  } catch {
    return { error: "broken" };
  }
};
