import { HOUR, MINUTE, SECOND } from "../../../domain/base/instant.ts";
import { sqliteCode } from "../faults.ts";
import { type Desk, openDesk, sweep } from "./desk.ts";
import type { Asked } from "../../records/lists/task-filter.ts";
import { type Scope, scopeName } from "./follow.ts";
import type { Answer, FromThread, ToThread } from "./messages.ts";

// The search thread. It keeps the full-text indexes and searches in them, so that neither holds the server up.

/** How often the indexes in use read what is new, and how long after its last search an index counts as in use, in ms. */
const EVERY = SECOND;
const IN_USE = 10 * MINUTE;
const MOST_OPEN = 16;

type Open = {
  readonly desk: Desk;
  usedAt: number;
  /** The end of the work in progress: one thing at a time for each index. */
  turn: Promise<unknown>;
  /** Set while the index reads what it lacks. */
  reading: Promise<void> | null;
  /** Searches that are not answered yet. */
  asking: number;
};

/**
 * `patience` is how long a search waits for its index, in ms. After that its caller is told to come back.
 */
const startThread = (directory: string, patience: number) => {
  const open = new Map<string, Open>();

  const openFor = (scope: Scope): Open => {
    const name = scopeName(scope);
    const there = open.get(name);
    const made = there ?? {
      desk: openDesk(directory, scope),
      usedAt: 0,
      turn: Promise.resolve(),
      reading: null,
      asking: 0,
    };
    made.usedAt = performance.now();
    // The one used last stands at the end.
    open.delete(name);
    open.set(name, made);
    return made;
  };
  const inTurn = <Value>(one: Open, work: () => Promise<Value> | Value): Promise<Value> => {
    const done = one.turn.then(work);
    one.turn = done.catch(() => {});
    return done;
  };
  const close = (name: string, one: Open): Promise<void> => {
    open.delete(name);
    return inTurn(one, () => one.desk.close());
  };

  /** Reads all that is new. Lets other indexes work between two steps. */
  const readAll = async (one: Open): Promise<void> => {
    while (!(await inTurn(one, () => one.desk.step()))) await Bun.sleep(0);
  };
  const read = (one: Open): Promise<void> =>
    (one.reading ??= readAll(one).finally(() => {
      one.reading = null;
    }));

  const answer = async (asked: Asked): Promise<Answer> => {
    const one = openFor(asked);
    one.asking += 1;
    return find(one, asked).finally(() => {
      one.asking -= 1;
    });
  };
  const find = async (one: Open, asked: Asked): Promise<Answer> => {
    const until = performance.now() + patience;
    while (performance.now() < until) {
      const left = until - performance.now();
      const done = await Promise.race([
        read(one).then(() => true),
        Bun.sleep(left).then(() => false),
      ]);
      if (!done) break;
      const page = await inTurn(one, () => one.desk.search(asked));
      if (page) return { page };
    }
    return { preparing: true };
  };

  const look = (): void => {
    for (const [name, one] of open) {
      const isOld = performance.now() - one.usedAt > IN_USE || open.size > MOST_OPEN;
      if (isOld && !one.reading && one.asking === 0) void close(name, one);
      // A failure is reported to the next search.
      else if (one.desk.hasNews()) read(one).catch(() => {});
    }
  };
  sweep(directory);
  const timers = [setInterval(look, EVERY), setInterval(sweep, HOUR, directory)];

  return {
    answer,
    close: async (): Promise<void> => {
      for (const timer of timers) clearInterval(timer);
      await Promise.all([...open].map(([name, one]) => close(name, one)));
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

/** What SQLite would call it if a file of an index cannot be made or removed. */
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
