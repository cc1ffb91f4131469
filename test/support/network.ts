import { keyOf, rowsOf, type Wire } from "./client.ts";
import type { Sent } from "./device.ts";
import type { Watch } from "../model/_watch.ts";

/** The newest `server_time` issued to anyone. */
export type NewestTime = { text: string };

export const newestTime = (): NewestTime => ({ text: "" });

/**
 * Checks every pull: `server_time` never goes back, whatever happened to the server (I2), and a
 * pull brings a record once (I5).
 */
export const lookingAtPulls = (wire: Wire, newest: NewestTime): Wire => ({
  ...wire,
  pull: async (since, limit) => {
    const reply = await wire.pull(since, limit);
    // A page's server_time is its last stamp, which comes before what is already known.
    if (!reply.has_more && limit === null) {
      if (reply.server_time < newest.text)
        throw new Error(`server_time went back from ${newest.text} to ${reply.server_time}`);
      newest.text = reply.server_time;
    }
    const keys = rowsOf(reply).map(keyOf);
    if (new Set(keys).size < keys.length) throw new Error(`a pull brought a row twice: ${keys}`);
    return reply;
  },
});

/**
 * The network delivers a push twice: the second one changes nothing and gets the same answer (I8).
 */
export const repeating = (wire: Wire, { rows }: Watch): Wire => ({
  ...wire,
  push: async (changes, since) => {
    const first = await wire.push(changes, since);
    const then = rows();
    same("a push again was answered", await wire.push(changes, since), first);
    same("a push again made", rows(), then);
    return first;
  },
});

/** Delivers an old push again, after others: it changes nothing (I8). */
export const replay = async (watching: Watch | null, wire: Wire, old: Sent): Promise<void> => {
  const then = watching?.rows();
  await wire.push(old.changes, old.since);
  same("an old push again made", watching?.rows(), then);
};

const same = (what: string, found: unknown, before: unknown): void => {
  if (Bun.deepEquals(found, before)) return;
  throw new Error(`${what} ${JSON.stringify(found)}, not ${JSON.stringify(before)}`);
};
