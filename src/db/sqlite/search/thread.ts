import { MINUTE, SECOND } from "../../../domain/base/instant.ts";
import type { ListRequest, FoundPage } from "../../records/lists/task-filter.ts";
import { sqliteCode } from "../faults.ts";
import { type Desk, openDesk } from "./desk.ts";
import { openFollower } from "./follow.ts";
import type { Answer, FromThread, ToThread } from "./searcher.ts";

// The search thread. It keeps the full-text index and searches in it, so that neither holds the server up.

/** How often the index reads what is new, and how long after an account's last search it does so for that account, in ms. */
const EVERY = SECOND;
const IN_USE = 10 * MINUTE;

/** Desks that are kept for the next search. Searches at one time may need more. */
const KEPT = 4;

/** `patience`: how long a search waits for the index to read what is new, in ms. After that its caller is told to come back. */
const startThread = (directory: string, patience: number) => {
  const follower = openFollower(directory);
  const usedAt = new Map<number, number>();
  const reading = new Map<number, Promise<"all" | "stuck">>();
  let desks: Desk[] = [];
  let generation = 0;

  /** Reads all that is new in an account. Lets other work go on between two steps. */
  const readAll = async (accountId: number): Promise<"all" | "stuck"> => {
    for (;;) {
      const step = follower.step(accountId);
      if (step !== "more") return step;
      await Bun.sleep(0);
    }
  };
  const read = (accountId: number): Promise<"all" | "stuck"> => {
    const begun = reading.get(accountId);
    if (begun) return begun;
    const reads = readAll(accountId).finally(() => reading.delete(accountId));
    reading.set(accountId, reads);
    return reads;
  };

  const closeDesks = (): void => {
    for (const desk of desks) desk.close();
    desks = [];
  };
  const searchOnce = async (asked: ListRequest): Promise<FoundPage> => {
    if (generation !== follower.generation()) closeDesks();
    generation = follower.generation();
    const desk = desks.pop() ?? openDesk(directory);
    const opened = generation;
    try {
      return await desk.search(asked);
    } finally {
      if (opened === follower.generation() && desks.length < KEPT) desks.push(desk);
      else desk.close();
    }
  };

  const answer = async (asked: ListRequest): Promise<Answer> => {
    const until = performance.now() + patience;
    usedAt.set(asked.accountId, performance.now());
    while (performance.now() < until) {
      const late = Bun.sleep(until - performance.now()).then(() => null);
      // What was committed before the question is found: a reading that had begun before it is not enough.
      await Promise.race([reading.get(asked.accountId)?.catch(() => {}), late]);
      const found = await Promise.race([read(asked.accountId), late]);
      if (found === null) break;
      try {
        const page = await searchOnce(asked);
        return { page: found === "all" ? page : { ...page, partial: true } };
      } catch (error) {
        if (!follower.mend(error)) throw error;
      }
    }
    return { preparing: true };
  };

  const look = (): void => {
    const since = performance.now() - IN_USE;
    for (const [accountId, at] of usedAt) if (at < since) usedAt.delete(accountId);
    if (!follower.hasNews()) return;
    // A failure is reported to the next search.
    for (const accountId of usedAt.keys()) read(accountId).catch(() => {});
  };
  const timer = setInterval(look, EVERY);

  return {
    answer,
    close: async (): Promise<void> => {
      clearInterval(timer);
      await Promise.allSettled(reading.values());
      closeDesks();
      follower.close();
    },
  };
};

declare const self: Worker;

let thread: ReturnType<typeof startThread> | null = null;
const say = (message: FromThread): void => self.postMessage(message, []);

const failure = (error: unknown): Answer => {
  const message = error instanceof Error ? error.message : String(error);
  return { failed: { message, code: sqliteCode(error) || codeOfFile(error) } };
};

/** What SQLite would call it if a file of the index cannot be made or removed. */
const codeOfFile = (error: unknown): string =>
  error instanceof Error && "syscall" in error ? "SQLITE_CANTOPEN" : "";

self.addEventListener("message", ({ data }: MessageEvent<ToThread>): void => {
  if (data.kind === "open") thread = startThread(data.directory, data.patience);
  else if (data.kind === "close")
    void (thread?.close() ?? Promise.resolve()).catch(() => {}).then(() => say({ kind: "closed" }));
  else
    void (thread?.answer(data.asked) ?? Promise.reject(new Error("The thread is not open.")))
      .catch(failure)
      .then((answer) => say({ kind: "answer", id: data.id, answer }));
});
