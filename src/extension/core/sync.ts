import type { SyncState } from "../../client/state.ts";
import { keptForSession } from "../browser/kept.ts";
import { connection, type Connection } from "../connect/connection.ts";
import { deviceName } from "../device/device.ts";
import { adoptLocal } from "./adopt.ts";
import { clientOf, currentClient } from "./open.ts";
import { restFromPush, wakeToPull, wakeToPush } from "./wake.ts";
import type { Client } from "../../client/client.ts";

/** Until when the server asked to be left alone, in ms since 1970; 0 if it did not. */
const restUntil = keptForSession("rest until", (stored) =>
  typeof stored === "number" ? stored : 0,
);

/**
 * Brings the store and the server in step, and leaves an alarm if something still waits. Resolves when that is done or
 * has failed; the client's state says which. Does nothing while nobody is signed in. Never rejects: if the store cannot
 * be opened, the next alarm tries again.
 */
export const syncNow = (): Promise<void> => sync().catch(() => {});

/** The same when only an alarm asks for it. It waits for as long as the server asked; a person does not have to. */
export const syncByAlarm = async (): Promise<void> => {
  if (Date.now() >= (await restUntil.read())) await syncNow();
};

const sync = async (): Promise<void> => {
  const isSignedIn = (await connection.read())?.token != null;
  await wakeToPull(isSignedIn, (await deviceName.read()) !== null);
  if (!isSignedIn) return restFromPush();
  const client = await currentClient();
  await client.sync();
  await noteRest(client.state().sync);
  if (client.state().sync.kind === "idle" && (await adoptLocal(client))) await client.sync();
  // The session may have ended: then the changes wait until someone signs in.
  const { waiting, sync: state } = client.state();
  if (state.kind === "signed-out" || (waiting === 0 && state.kind === "idle")) await restFromPush();
  else await wakeToPush();
};

const noteRest = (state: SyncState): Promise<void> =>
  state.kind === "problem" && state.isAsked ? restUntil.write(state.retryAt) : restUntil.forget();

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
