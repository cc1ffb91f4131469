import { type Instant, parseInstant } from "../domain/base/instant.ts";
import { isObject, listField, type Payload, textField } from "../domain/base/payload.ts";
import { type Table, TABLES_BY_NEED } from "../domain/base/record.ts";
import { type Author, PERSON } from "../domain/people/account.ts";
import { type Change, isInvalid, parseChange } from "../domain/sync/change.ts";
import type { FiledChild } from "../domain/tasks/child.ts";
import { isChildList } from "../domain/tasks/task-fields.ts";
import { decodeText } from "./decode.ts";
import { historyIn, type PastRecord } from "./history.ts";
import type { LeftOut } from "./model.ts";
import type { Unreadable } from "./model.ts";

/** A record as an export has it, not checked yet. */
type RawRecord = { readonly table: Table; readonly value: Payload };

/** Exports begin like this; those of the first versions did not name their format. */
const BEGINNING =
  /^\uFEFF?\{\s*"(?:format":\s*"docket\.export\/1"|account":\s*"[^"]*",\s*"server":)/;

/** A record of Docket's own export. */
export type DocketRecord = {
  readonly change: Change;
  readonly createdAt: Instant | null;
  readonly author: Author;
  readonly filed: readonly FiledChild[];
  readonly history: readonly PastRecord[];
};

/** What an export holds, and what of it cannot be taken over. */
export type DocketExport = {
  readonly records: readonly DocketRecord[];
  readonly leftOut: readonly LeftOut[];
};

/** Reads Docket's own export. Null for any other file. */
export const readDocket = (bytes: Uint8Array): DocketExport | Unreadable | null => {
  if (!BEGINNING.test(decodeText(bytes.subarray(0, 1_000)))) return null;
  try {
    const json: unknown = JSON.parse(decodeText(bytes));
    const records = isObject(json) && isObject(json["records"]) ? json["records"] : null;
    if (records === null) return { error: "broken" };
    return checkRecords(
      TABLES_BY_NEED.flatMap((table) =>
        listField(records, table).flatMap((value) => (isObject(value) ? { table, value } : [])),
      ),
    );
  } catch {
    return { error: "broken" };
  }
};

/** Checks the records of an export as those of a push are checked. */
const checkRecords = (raw: readonly RawRecord[]): DocketExport => {
  const records: DocketRecord[] = [];
  const leftOut: LeftOut[] = [];
  for (const { table, value } of raw) {
    const { id, updated_at, deleted_at, payload } = value;
    const change = parseChange({ table, id, updated_at, deleted_at, payload });
    if (isInvalid(change)) leftOut.push({ what: change.id ?? "", reason: change.error });
    else
      records.push({
        change,
        createdAt: parseInstant(textField(value, "created_at") ?? ""),
        author: authorIn(value),
        filed: filedIn(value),
        history: historyIn(value),
      });
  }
  return { records, leftOut };
};

/** The longest name of a key. */
const MAX_KEY = 200;

/** Who made it, as the export says: the person who imports it vouches for that. */
const authorIn = (value: Payload): Author => {
  if (value["created_by"] !== "agent") return PERSON;
  return { created_by: "agent", created_by_key: keyIn(value["created_by_key"]) };
};

const keyIn = (name: unknown): string | null =>
  typeof name === "string" && name.length <= MAX_KEY ? name : null;

const filedIn = (value: Payload): readonly FiledChild[] => {
  const filed: unknown = value["filed"];
  if (!Array.isArray(filed)) return [];
  return filed.flatMap((one: unknown): FiledChild[] => {
    if (!isObject(one)) return [];
    const { list, id, at } = one;
    const createdAt = textField(one, "createdAt");
    const isPlace = at === null || (typeof at === "number" && Number.isSafeInteger(at) && at >= 0);
    if (typeof list !== "string" || !isChildList(list) || typeof id !== "string") return [];
    if (createdAt === null || parseInstant(createdAt) === null || !isPlace) return [];
    return [
      {
        list,
        id,
        key: keyIn(one["key"]),
        ...(one["person"] === true ? { person: true as const } : {}),
        createdAt,
        at,
        ...(one["item"] === undefined ? {} : { item: one["item"] }),
      },
    ];
  });
};
