import { type Row, rowOf, type ServerRow } from "./record.ts";
import { call } from "./server.ts";
import { type Account, change, read } from "./store.ts";

type PullReply = {
  readonly server_time: string;
  readonly epoch: string;
  readonly has_more: boolean;
  readonly changes: Readonly<Record<string, readonly ServerRow[]>>;
};

/**
 * Takes over what is new on the server, page by page. Returns "push first" if something is waiting to be pushed before
 * this device may take over more: a change that was made during the pull, or everything after the server was restored.
 */
export const pull = async (account: Account): Promise<"push first" | "up to date"> => {
  for (;;) {
    const { place } = await read();
    const since = place?.since == null ? "" : `&since=${encodeURIComponent(place.since)}`;
    const reply = await call<PullReply>(account, `/sync?limit=500${since}`);
    if (place !== null && reply.epoch !== place.epoch) {
      await startOver(reply.epoch);
      return "push first";
    }
    if (!(await takeOver(reply))) return "push first";
    if (!reply.has_more) return "up to date";
  }
};

/**
 * The next pull continues from the server's own time. With this device's time, it would miss what others send late.
 * Returns false, and drops the reply, if something was changed here during the pull. With this reply's time, the change
 * would be pushed as if its user had seen the tabs that the reply brings, and had removed them.
 */
const takeOver = async (reply: PullReply): Promise<boolean> => {
  let took = false;
  await change(({ place, held }) => {
    // Before the first reply, this device holds only what it created itself.
    took = place === null || ![...held.values()].some(({ waiting }) => waiting);
    if (!took) return {};
    return {
      place: { epoch: reply.epoch, since: reply.server_time },
      held: rowsOf(reply).map((row) => ({ row, waiting: false })),
    };
  });
  return took;
};

const rowsOf = ({ changes }: PullReply): readonly Row[] =>
  Object.entries(changes).flatMap(([table, rows]) => rows.map((row) => rowOf(table, row)));

/**
 * The server was restored from a backup. The devices still have what it lost, so each sends all it has, without a
 * `since`, and only then pulls, from nothing. The reply that reported it is dropped.
 */
const startOver = (epoch: string): Promise<void> =>
  change(({ held }) => ({
    place: { epoch, since: null },
    held: [...held.values()].map(({ row }) => ({ row, waiting: true })),
  }));
