import { readMeta } from "../store/database.ts";
import { type Taken, takePull } from "../store/take-pull.ts";
import { ask } from "./ask.ts";
import { type SyncContext, push } from "./push.ts";
import { readPull } from "./wire.ts";

/** Records in one reply. Enough for most stores at once, and small enough for a phone to store in one go. */
const PAGE = 1_000;

/** What became of a pull. */
export type Pulled = {
  readonly kind: Taken["kind"];
  /** Whether there is more to pull at once. */
  readonly hasMore: boolean;
  /** How many records the reply had. */
  readonly rows: number;
};

/**
 * Pulls what is new, one page of it. `wait` are the seconds that the server may wait for news before it answers
 * that there is none.
 */
export const pull = async (
  place: SyncContext,
  wait: number,
  signal: AbortSignal,
): Promise<Pulled> => {
  const asked = await place.run(readMeta);
  const query = new URLSearchParams({
    ...(asked.since === null ? {} : { since: asked.since }),
    limit: String(PAGE),
    ...(wait === 0 ? {} : { wait: String(wait) }),
  });
  const reply = await ask(place.request, `/sync?${query}`, { method: "GET" }, readPull, signal);
  const taken = await place.run((db) => takePull(db, asked, reply));
  if (taken.kind !== "dropped") place.changed(taken.rows);
  if (taken.kind === "restored") place.restored();
  return { kind: taken.kind, hasMore: reply.hasMore, rows: reply.rows.length };
};

/**
 * Syncs until nothing waits and nothing is new: pushes what waits, then pulls, and starts again if the person made
 * an edit meanwhile. A store that is new pulls one page before it pushes: without it, nobody could tell that the
 * server was restored later.
 */
export const settle = async (place: SyncContext, signal: AbortSignal): Promise<void> => {
  if ((await place.run(readMeta)).epoch === null) await pull(place, 0, signal);
  for (;;) {
    await push(place, signal);
    const { kind, hasMore } = await pull(place, 0, signal);
    if (kind === "stored" && !hasMore) return;
  }
};
