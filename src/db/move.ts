import { getTableConfig, type SQLiteTable } from "drizzle-orm/sqlite-core";
import { Refusal } from "../domain/base/refusal.ts";
import type { Orm } from "./query.ts";
import { allTables } from "./schema/tables.ts";
import type { Store } from "./store.ts";

/** Rows that are copied at once. A row takes up to some MiB. */
const AT_ONCE = 64;

/** A table that was copied: its rows, and a digest of all that is in them, the same in both places. */
export type Copied = { readonly table: string; readonly rows: number; readonly digest: string };

/**
 * Copies all data from one database into another, which must have none, in one transaction, and compares both. No server may
 * work on either. Devices notice nothing: ids, stamps and the epoch stay. `say` is told of each table that is copied, `finish`
 * does in the same transaction what the target's engine needs. Refuses a target that has data, and a copy that differs: then nothing was copied.
 */
export const moveData = async (
  from: Store,
  to: Store,
  say: (copied: Copied) => void,
  finish: (orm: Orm) => Promise<void> = async () => {},
): Promise<void> => {
  await to.writer.write(async ({ orm }) => {
    for (const table of allTables()) {
      if (isSingle(table)) continue;
      const { name } = getTableConfig(table);
      if ((await readSome(orm, shapeOf(table), null, 1)).length > 0)
        throw new Refusal(
          "already_there",
          `The target has data already (in the table ${name}), so nothing was copied. Move into an empty one.`,
        );
    }
    for (const table of allTables()) {
      const shape = shapeOf(table);
      if (isSingle(table)) await orm.delete(table).run();
      const copied = await copyTable(from.reader, orm, shape);
      const there = await digestOf(orm, shape);
      if (there !== copied.digest)
        throw new Error(`The copy of the table ${shape.name} differs. Nothing was copied.`);
      say(copied);
    }
    await finish(orm);
  });
  to.clock.start = Math.max(to.clock.start, from.clock.lease);
};

/** What has one row from the start. */
const isSingle = (table: SQLiteTable): boolean => getTableConfig(table).name === "server";

type Shape = {
  readonly name: string;
  readonly columns: readonly string[];
  /** The columns of its primary key, by which its rows are ordered. */
  readonly key: readonly string[];
};

const shapeOf = (table: SQLiteTable): Shape => {
  const { name, columns, primaryKeys } = getTableConfig(table);
  const [composed] = primaryKeys;
  const key = composed ? composed.columns : columns.filter(({ primary }) => primary);
  return {
    name,
    columns: columns.map((column) => column.name),
    key: key.map((column) => column.name),
  };
};

type Row = Readonly<Record<string, unknown>>;

const listed = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(", ");
const marks = (count: number): string => `(${Array.from({ length: count }, () => "?").join(", ")})`;

const readSome = (
  orm: Orm,
  { name, columns, key }: Shape,
  after: Row | null,
  limit: number,
): Promise<readonly Row[]> => {
  const where = after ? ` where (${listed(key)}) > ${marks(key.length)}` : "";
  const values = after ? key.map((column) => after[column]) : [];
  return orm
    .statement<Row>(
      `select ${listed(columns)} from "${name}"${where} order by ${listed(key)} limit ${limit}`,
    )
    .all(...values);
};

const chunksOf = async function* (orm: Orm, shape: Shape): AsyncGenerator<readonly Row[]> {
  let last: Row | null = null;
  for (;;) {
    const rows: readonly Row[] = await readSome(orm, shape, last, AT_ONCE);
    if (rows.length > 0) yield rows;
    last = rows.at(-1) ?? null;
    if (rows.length < AT_ONCE) return;
  }
};

const copyTable = async (from: Orm, to: Orm, shape: Shape): Promise<Copied> => {
  const hasher = new Bun.CryptoHasher("sha256");
  let count = 0;
  for await (const rows of chunksOf(from, shape)) {
    count += rows.length;
    addTo(hasher, shape, rows);
    const values = rows.flatMap((row) => shape.columns.map((column) => row[column]));
    const lines = rows.map(() => marks(shape.columns.length)).join(", ");
    await to
      .statement(`insert into "${shape.name}" (${listed(shape.columns)}) values ${lines}`)
      .run(...values);
  }
  return { table: shape.name, rows: count, digest: hasher.digest("hex") };
};

const digestOf = async (orm: Orm, shape: Shape): Promise<string> => {
  const hasher = new Bun.CryptoHasher("sha256");
  for await (const rows of chunksOf(orm, shape)) addTo(hasher, shape, rows);
  return hasher.digest("hex");
};

const addTo = (hasher: Bun.CryptoHasher, { columns }: Shape, rows: readonly Row[]): void => {
  for (const row of rows) {
    const values = columns.map((column) => {
      const value = row[column];
      return value instanceof Uint8Array ? { bytes: Buffer.from(value).toString("hex") } : value;
    });
    hasher.update(`${JSON.stringify(values)}\n`);
  }
};
