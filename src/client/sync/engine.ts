import type { SyncState } from "../state.ts";
import type { Browser } from "../windows.ts";
import { CallFailed, type Failure, pauseAfter } from "./ask.ts";
import type { SyncContext } from "./push.ts";
import { pull, settle } from "./pull.ts";

/** Seconds that the server may hold a call open until it has news. */
const WAIT = 25;
/** In ms. How often a window that wants to sync asks for its turn. */
const ASK_AGAIN = 1_000;
/** In ms. A call that ends sooner without news did not wait: something between here and the server cut it short. */
const TOO_SOON = 1_000;

/** The sync of one window. Nothing runs until it is asked to. */
export type Engine = {
  /** Syncs now. Resolves when that is done or has failed. */
  readonly sync: () => Promise<void>;
  /** Syncs now and whenever there is news. */
  readonly live: () => void;
  /** Ends waiting for news. */
  readonly pause: () => void;
  /** The person made an edit in this window. */
  readonly edited: () => void;
  /** Another window wants to sync. This one stops waiting for news, so that the other gets its turn. */
  readonly giveWay: () => void;
  readonly stop: () => void;
};

export type Surroundings = {
  readonly place: SyncContext;
  readonly browser: Browser;
  /** The store's name. Only one window at a time syncs it. */
  readonly name: string;
  readonly now: () => number;
  readonly show: (sync: SyncState) => void;
  /** Asks the window that waits for news to let this one sync. */
  readonly wake: () => void;
  /** Returns a sentence for an error that is not the server's. */
  readonly explain: (error: unknown) => string;
};

type State = Surroundings & {
  isLive: boolean;
  /** Whether somebody asked for a sync that has not begun. */
  isWanted: boolean;
  isRunning: boolean;
  isSignedOut: boolean;
  failures: number;
  asked: (() => void)[];
  /** Ends waiting: for news, or for the next try. */
  interrupt: AbortController;
  readonly stopped: AbortController;
};

export const startEngine = (around: Surroundings): Engine => {
  const flags = { isLive: false, isWanted: false, isRunning: false, isSignedOut: false };
  const ends = { interrupt: new AbortController(), stopped: new AbortController() };
  const state: State = { ...around, ...flags, ...ends, failures: 0, asked: [] };
  return {
    sync: () =>
      new Promise((resolve) => {
        state.asked.push(resolve);
        want(state);
      }),
    live: () => {
      state.isLive = true;
      want(state);
    },
    pause: () => {
      state.isLive = false;
      state.interrupt.abort();
    },
    edited: () => {
      if (state.isSignedOut) return;
      // After a failure, the edit waits with the others for the next try.
      if (state.failures === 0) want(state);
      else state.isWanted = true;
    },
    giveWay: () => {
      if (state.failures === 0) state.interrupt.abort();
    },
    stop: () => {
      state.stopped.abort();
      state.interrupt.abort();
      answer(state.asked.splice(0));
    },
  };
};

const want = (state: State): void => {
  state.isSignedOut = false;
  state.isWanted = true;
  state.interrupt.abort();
  if (!state.isRunning) void run(state);
};

const answer = (asked: readonly (() => void)[]): void => {
  for (const done of asked) done();
};

const run = async (state: State): Promise<void> => {
  state.isRunning = true;
  while (!state.stopped.signal.aborted && (state.isWanted || state.isLive)) {
    state.interrupt = new AbortController();
    const isUrgent = state.isWanted;
    state.isWanted = false;
    await turn(state, state.asked.splice(0), isUrgent);
  }
  state.isRunning = false;
  if (state.stopped.signal.aborted) answer(state.asked.splice(0));
};

/** Syncs when no other window does, and then waits for news for as long as this window is live. */
const turn = async (
  state: State,
  asked: readonly (() => void)[],
  isUrgent: boolean,
): Promise<void> => {
  const { browser, name, place, show, stopped, wake } = state;
  // A window may hear of this one between two of its turns, and be the next again: nothing orders what windows tell one
  // another and their wishes for the lock.
  const asking = isUrgent ? setInterval(wake, ASK_AGAIN) : undefined;
  try {
    await browser.alone(name, stopped.signal, async () => {
      clearInterval(asking);
      show({ kind: "syncing" });
      await settle(place, stopped.signal);
      state.failures = 0;
      show({ kind: "idle" });
      answer(asked);
      while (state.isLive && !state.isWanted && !state.interrupt.signal.aborted) await news(state);
    });
  } catch (error) {
    const retryAt = stopped.signal.aborted ? 0 : fail(state, error);
    // Who asked meanwhile gets a turn at once: asking has ended the wait.
    answer(asked);
    clearInterval(asking);
    await until(state, retryAt);
  }
};

const news = async (state: State): Promise<void> => {
  const { interrupt, place, stopped, now } = state;
  const began = now();
  try {
    const either = AbortSignal.any([stopped.signal, interrupt.signal]);
    const { kind, hasMore, rows } = await pull(place, WAIT, either);
    if (kind !== "stored" || hasMore) state.isWanted = true;
    if (rows === 0) await until(state, began + TOO_SOON);
  } catch (error) {
    if (!interrupt.signal.aborted) throw error;
  }
};

/** Shows a failure. Returns when to try again. */
const fail = (state: State, error: unknown): number => {
  state.failures += 1;
  const failure = failureIn(error, state.explain);
  const retryAt = state.now() + pauseAfter(state.failures, askedWait(failure), Math.random);
  state.show(stateAfter(failure, retryAt));
  if (failure.kind !== "signed-out") {
    state.isWanted = true;
    return retryAt;
  }
  const isWanted = state.asked.length > 0;
  Object.assign(state, { isSignedOut: true, isLive: false, isWanted, failures: 0 });
  return 0;
};

const failureIn = (error: unknown, explain: Surroundings["explain"]): Failure =>
  error instanceof CallFailed
    ? error.failure
    : { kind: "problem", sentence: explain(error), waitFor: 0 };

const askedWait = (failure: Failure): number => (failure.kind === "problem" ? failure.waitFor : 0);

const stateAfter = (failure: Failure, retryAt: number): SyncState => {
  switch (failure.kind) {
    case "offline":
      return { kind: "offline", retryAt };
    case "signed-out":
      return { kind: "signed-out" };
    case "problem":
    case "too-large": {
      const { sentence } = failure;
      const isProxy = failure.kind === "problem" && failure.isProxy === true;
      const isAsked = askedWait(failure) > 0;
      return { kind: "problem", sentence, retryAt, isAsked, ...(isProxy ? { isProxy } : {}) };
    }
  }
};

/** Waits until then, or until somebody asks for a sync. */
const until = ({ interrupt: { signal }, now }: State, then: number): Promise<void> =>
  new Promise((resolve) => {
    const left = then - now();
    if (left <= 0 || signal.aborted) return resolve();
    const timer = setTimeout(resolve, left);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
