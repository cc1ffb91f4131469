import { pull } from "./pull.ts";
import { push } from "./push.ts";
import { ServerError } from "./server.ts";
import { type Account, change, read } from "./store.ts";

let running: Promise<void> = Promise.resolve();
let next: Promise<void> | null = null;

/** Syncs after the sync in progress, if there is one. Callers who come while a sync is waiting share it. */
export const sync = (): Promise<void> => {
  next ??= running.then(() => {
    next = null;
    running = attempt();
    return running;
  });
  return next;
};

/** Reports what goes wrong. The next sync tries again, so nothing in the queue is lost. */
const attempt = async (): Promise<void> => {
  const { account, place } = await read();
  if (account?.session == null) return;
  try {
    // Without a known epoch, a device cannot notice a restore, so it pulls before its first push.
    if (place === null) await pull(account);
    do await push(account);
    while ((await pull(account)) === "push first");
    await change(() => ({ report: "" }));
  } catch (error) {
    if (error instanceof ServerError && error.status === 401) await forgetSession(account);
    const report = error instanceof Error ? error.message : String(error);
    await change(() => ({ report }));
  }
};

/** Does nothing if the user has signed in again since. */
const forgetSession = (used: Account): Promise<void> =>
  change(({ account }) =>
    account?.session === used.session ? { account: { ...used, session: null } } : {},
  );
