import { connection } from "../connect/connection.ts";
import { adoptLocal } from "./adopt.ts";
import { currentClient } from "./open.ts";
import { restFromPush, wakeToPull, wakeToPush } from "./wake.ts";

/**
 * Brings the store and the server in step, and leaves an alarm if something still waits. Resolves when that is done or
 * has failed; the client's state says which. Does nothing while nobody is signed in. Never rejects: if the store cannot
 * be opened, the next alarm tries again.
 */
export const syncNow = (): Promise<void> => sync().catch(() => {});

const sync = async (): Promise<void> => {
  const isSignedIn = (await connection.read())?.token != null;
  await wakeToPull(isSignedIn);
  if (!isSignedIn) return restFromPush();
  const client = await currentClient();
  await client.sync();
  if (client.state().sync.kind === "idle" && (await adoptLocal(client))) await client.sync();
  // The session may have ended: then the changes wait until someone signs in.
  const { waiting, sync: state } = client.state();
  if (state.kind === "signed-out" || (waiting === 0 && state.kind === "idle")) await restFromPush();
  else await wakeToPush();
};
