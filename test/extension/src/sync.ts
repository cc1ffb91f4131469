import { pull } from "./pull.ts";
import { push } from "./push.ts";
import { ServerError } from "./server.ts";
import { type Account, change, read } from "./store.ts";

let running: Promise<void> = Promise.resolve();
let next: Promise<void> | null = null;

/** Syncs, after the sync that is running; who asks while one waits already shares that one. */
export const sync = (): Promise<void> => {
  next ??= running.then(() => {
    next = null;
    running = attempt();
    return running;
  });
  return next;
};

/** What goes wrong is reported, and the next sync tries again: nothing that waits is given up. */
const attempt = async (): Promise<void> => {
  const { account, place } = await read();
  if (account?.session == null) return;
  try {
    // A device that has seen no epoch yet cannot notice a restore: it pulls before its first push.
    if (place === null) await pull(account);
    do await push(account);
    while ((await pull(account)) === "restored");
    await change(() => ({ report: "" }));
  } catch (error) {
    if (error instanceof ServerError && error.status === 401) await forgetSession(account);
    const report = error instanceof Error ? error.message : String(error);
    await change(() => ({ report }));
  }
};

/** Unless the person signed in again meanwhile. */
const forgetSession = (used: Account): Promise<void> =>
  change(({ account }) =>
    account?.session === used.session ? { account: { ...used, session: null } } : {},
  );
