import { keyOf, type Row, rowOf, type ServerRow, taken } from "./record.ts";
import { call } from "./server.ts";
import { type Account, change, read } from "./store.ts";

type PullReply = {
  readonly server_time: string;
  readonly epoch: string;
  readonly has_more: boolean;
  readonly changes: Readonly<Record<string, readonly ServerRow[]>>;
};

/**
 * Takes over what is new on the server, page by page. Returns "restored" if the server was restored from a backup:
 * then everything on this device is waiting to be pushed.
 */
export const pull = async (account: Account): Promise<"restored" | "up to date"> => {
  for (;;) {
    const { place } = await read();
    const since = place?.since == null ? "" : `&since=${encodeURIComponent(place.since)}`;
    const reply = await call<PullReply>(account, `/sync?limit=500${since}`);
    if (place !== null && reply.epoch !== place.epoch) {
      await startOver(reply.epoch);
      await pull(account);
      return "restored";
    }
    await takeOver(reply);
    if (!reply.has_more) return "up to date";
  }
};

/**
 * The next pull continues from the server's own time. With this device's time, it would miss what others send late.
 */
const takeOver = (reply: PullReply): Promise<void> =>
  change(({ held }) => ({
    place: { epoch: reply.epoch, since: reply.server_time },
    held: rowsOf(reply).map((row) => taken(held.get(keyOf(row)), row)),
  }));

const rowsOf = ({ changes }: PullReply): readonly Row[] =>
  Object.entries(changes).flatMap(([table, rows]) => rows.map((row) => rowOf(table, row)));

/** The server was restored from a backup. The devices still have what it lost, so each sends all it has. */
const startOver = (epoch: string): Promise<void> =>
  change(({ held }) => ({
    place: { epoch, since: null },
    held: [...held.values()].map(({ row }) => ({ row, waiting: true })),
  }));
