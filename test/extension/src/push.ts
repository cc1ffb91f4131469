import { type Held, keyOf, type Row, rowOf, type ServerRow } from "./record.ts";
import { call } from "./server.ts";
import { type Account, change, read } from "./store.ts";

type Winner = { readonly table: string; readonly id: string; readonly server_row: ServerRow };

type PushReply = {
  /** Every record that the server does not hold as it was sent, merged ones included. */
  readonly rejected: readonly Winner[];
  readonly invalid: readonly { readonly index: number; readonly error: string }[];
};

/** Records in one push. The server accepts no more. */
const BATCH = 500;

/**
 * Sends what is waiting. If the reply is lost, it is sent again, which changes nothing. `since` tells the server what
 * this device has seen, so that it knows whether its user removed an agent's tab or never saw it.
 */
export const push = async (account: Account): Promise<void> => {
  for (;;) {
    const { held, place } = await read();
    const waiting = [...held.values()].filter((one) => one.waiting);
    const sent = waiting.slice(0, BATCH).map(({ row }) => row);
    if (sent.length === 0) return;
    const since = place?.since == null ? "" : `?since=${encodeURIComponent(place.since)}`;
    const reply = await call<PushReply>(account, `/sync${since}`, sent);
    await change((now) => ({ held: settled(sent, reply, now.held) }));
  }
};

/** A record that was changed again during the push is left for the next one. */
const settled = (
  sent: readonly Row[],
  reply: PushReply,
  held: ReadonlyMap<string, Held>,
): readonly Held[] =>
  sent.flatMap((row, index) =>
    held.get(keyOf(row))?.row.updated_at === row.updated_at ? [answered(row, index, reply)] : [],
  );

const answered = (row: Row, index: number, { rejected, invalid }: PushReply): Held => {
  const refused = invalid.find((one) => one.index === index)?.error;
  if (refused !== undefined) return { row, waiting: false, refused };
  const winner = rejected.find((one) => keyOf(one) === keyOf(row));
  return { row: winner ? rowOf(row.table, winner.server_row) : row, waiting: false };
};
