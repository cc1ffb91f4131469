import type { Client } from "../../client/client.ts";
import { type Connection, connection } from "../connect/connection.ts";
import { clientOf } from "./open.ts";

/**
 * Calls `show` with who is signed in and their store, and again after each sign-in and sign-out, wherever it happens.
 * Resolves after the first call. Rejects if that store cannot be opened; a later one that cannot be opened leaves what
 * is shown. It listens before it reads: a sign-in between the two would never be noticed.
 */
export const followConnection = async (
  show: (now: Connection | null, client: Client) => void,
): Promise<void> => {
  const showNow = async (): Promise<void> => {
    const now = await connection.read();
    show(now, await clientOf(now));
  };
  // One after the other, so that the last to be shown is the last that was read.
  let turn = Promise.resolve();
  const next = (): Promise<void> => (turn = turn.catch(() => {}).then(showNow));
  connection.watch(() => void next().catch(() => {}));
  await next();
};
