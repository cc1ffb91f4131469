import { MINUTE } from "../../domain/base/instant.ts";
import type { FileRead, Wish } from "../../import/file.ts";
import type { Unreadable } from "../../import/read.ts";
import type { FromReader, ToReader } from "./thread.ts";

/** The compiled binary has this thread as an entry point of its own. */
const THREAD = new URL(
  Bun.isStandaloneExecutable ? "./server/imports/thread.js" : "./thread.ts",
  import.meta.url,
);

/** A file that takes longer was made to. */
const PATIENCE = 5 * MINUTE;

/** Reads a file on a thread of its own, until `signal`. What that thread cannot do counts as a damaged file. */
export const readOnThread = async (
  path: string,
  name: string,
  wish: Wish,
  signal: AbortSignal,
): Promise<FileRead | Unreadable> => {
  const { promise, resolve } = Promise.withResolvers<FileRead | Unreadable>();
  const thread = new Worker(THREAD, { ref: false });
  const say = (message: ToReader): void => thread.postMessage(message, []);
  const broken = (): void => resolve({ error: "broken" });
  const items: unknown[] = [];
  thread.addEventListener("message", ({ data }: MessageEvent<FromReader>) => {
    if ("error" in data) return resolve(data);
    if ("head" in data) return resolve({ ...data.head, items } as unknown as FileRead);
    for (const item of data.items) items.push(item);
    // Others go on between two pieces.
    setImmediate(() => say("next"));
  });
  thread.addEventListener("error", (event) => {
    event.preventDefault();
    broken();
  });
  const timer = setTimeout(broken, PATIENCE);
  signal.addEventListener("abort", broken);
  try {
    say({ path, name, wish });
    return await promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", broken);
    thread.terminate();
  }
};
