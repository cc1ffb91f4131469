import { keyText } from "../../domain/base/record.ts";
import type { PullReply } from "../sync/wire.ts";
import { countChange, type Database, write, type Writing } from "./database.ts";
import { withServer } from "./rebase.ts";
import { keyOf, type Meta, NEW_STORE, newRow, type Row } from "./row.ts";
import { startOver } from "./start-over.ts";

/** What became of a pull's reply. */
export type Taken =
  | { readonly kind: "stored"; readonly rows: readonly Row[] }
  /** Something changed in the store since the pull was asked for. Push what waits, then pull again. */
  | { readonly kind: "dropped" }
  /** The server was restored from a backup. Everything must be pushed, then pulled from nothing. */
  | { readonly kind: "restored"; readonly rows: readonly Row[] };

/**
 * Stores a pull's reply, or drops it: checked and stored in one transaction, so that no edit comes in between.
 * `asked` is what the store knew of its server when it asked.
 */
export const takePull = (db: Database, asked: Meta, reply: PullReply): Promise<Taken> =>
  write(db, async (tx): Promise<Taken> => {
    const known = (await tx.objectStore("meta").get("meta")) ?? NEW_STORE;
    // The first reply ever is stored even if edits wait: the server cannot have them yet.
    const isFirst = asked.epoch === null && known.epoch === null;
    if (!isFirst && (known.pulse !== asked.pulse || (await anyWaits(tx))))
      return { kind: "dropped" };
    if (!isFirst && known.epoch !== reply.epoch)
      return { kind: "restored", rows: await startOver(tx, reply.epoch) };
    return { kind: "stored", rows: await storeReply(tx, reply) };
  });

const anyWaits = async (tx: Writing): Promise<boolean> =>
  (await tx.objectStore("rows").index("waits").count()) > 0;

const storeReply = async (tx: Writing, reply: PullReply): Promise<readonly Row[]> => {
  const store = tx.objectStore("rows");
  const known = { since: reply.serverTime, epoch: reply.epoch };
  const { pulse } = await countChange(tx, known, reply.rows.length > 0);
  // The same record twice in one reply: the later one is what the server has.
  const last = [...new Map(reply.rows.map((row) => [keyText(row), row])).values()];
  const held = await Promise.all(last.map((row) => store.get(keyOf(row))));
  const rows = last.map((row, at) => {
    const before = held[at] ?? newRow(row.table, row.id);
    return withServer(before, row, before.server, pulse);
  });
  await Promise.all(rows.map((row) => store.put(row)));
  return rows;
};
