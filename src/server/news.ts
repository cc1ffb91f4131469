import { newestStamps } from "../db/records/news.ts";
import type { Store } from "../db/store.ts";
import type { Instant } from "../domain/base/instant.ts";
import type { Caller } from "../domain/people/account.ts";
import { Refusal } from "../domain/base/refusal.ts";

/** Calls that wait for news at one time, per session and per key. */
export const MAX_WAITING = 20;
export const MAX_KEY_WAITING = 5;

/** The calls that wait until something of an account is committed, by this server or a command beside it. */
export type News = {
  /**
   * Resolves once something of the account is committed after `since`, when `ms` are over, when the client hangs up,
   * or when the server stops. Holds no transaction. Refuses a session's 21st call, and a key's 6th (429).
   */
  readonly wait: (call: WaitingCall, ms: number, hangUp: AbortSignal) => Promise<void>;
  /** How many calls wait. */
  readonly waiting: () => number;
  /** Ends all waiting, for good. */
  readonly end: () => void;
};

type WaitingCall = {
  readonly accountId: number;
  readonly caller: Pick<Caller, "id" | "kind">;
  readonly since: Instant;
};

type Waiting = WaitingCall & { readonly go: () => void };

/** How often it looks for commits while anybody waits, in ms. Without new commits, a look takes microseconds. */
const EVERY = 250;

export const startNews = (store: Store): News => {
  const waiting = new Set<Waiting>();
  let timer: ReturnType<typeof setInterval> | null = null;
  let isEnded = false;
  /** The last commit that all who wait were compared with; null if someone new waits. */
  let seen: object | null = null;

  /** What cannot be read now is read the next time. */
  const look = async (): Promise<void> => {
    const mark = store.reader.mark();
    if (mark !== null && mark === seen) return;
    const stamps = await newestStamps(store.reader);
    seen = mark;
    // An account that is no longer there has no stamp. Its calls are answered, and refused.
    for (const one of waiting)
      if ((stamps.get(one.accountId) ?? Number.POSITIVE_INFINITY) > one.since) one.go();
  };
  const forget = (one: Waiting): void => {
    waiting.delete(one);
    if (waiting.size > 0 || timer === null) return;
    clearInterval(timer);
    timer = null;
  };
  const add = (one: Waiting): void => {
    waiting.add(one);
    seen = null;
    timer ??= setInterval(() => void look().catch(() => {}), EVERY);
  };

  return {
    wait: async (call, ms, hangUp) => {
      refuseMany(waiting, call.caller);
      if (isEnded || hangUp.aborted) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      const one = { ...call, go: () => resolve() };
      const over = setTimeout(one.go, ms);
      hangUp.addEventListener("abort", one.go);
      add(one);
      await promise;
      clearTimeout(over);
      hangUp.removeEventListener("abort", one.go);
      forget(one);
    },
    waiting: () => waiting.size,
    end: () => {
      isEnded = true;
      for (const { go } of waiting) go();
    },
  };
};

const refuseMany = (waiting: ReadonlySet<Waiting>, { id, kind }: WaitingCall["caller"]): void => {
  let count = 0;
  for (const { caller } of waiting) if (caller.id === id) count += 1;
  const [most, whose] = kind === "session" ? [MAX_WAITING, "session"] : [MAX_KEY_WAITING, "key"];
  if (count < most) return;
  throw new Refusal(
    "too_many",
    `${most} calls of this ${whose} are waiting for news already. Let them end first, or leave out wait.`,
    { "retry-after": "1" },
  );
};
