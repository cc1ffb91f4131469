import { readMeta } from "../store/database.ts";
import type { Place } from "./place.ts";
import { pull } from "./pull.ts";
import { push } from "./push.ts";

/**
 * Syncs until nothing waits and nothing is new: pushes what waits, then pulls, and starts again if the person made
 * an edit meanwhile. A store that is new pulls one page before it pushes: without it, nobody could tell that the
 * server was restored later.
 */
export const settle = async (place: Place, signal: AbortSignal): Promise<void> => {
  if ((await place.run(readMeta)).epoch === null) await pull(place, 0, signal);
  for (;;) {
    await push(place, signal);
    const { kind, hasMore } = await pull(place, 0, signal);
    if (kind === "stored" && !hasMore) return;
  }
};
