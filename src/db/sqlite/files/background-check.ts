/** What a check of the data found. `unknown`: it could not be made, and the next start makes it again. */
export type Checked =
  | { readonly state: "sound" }
  | { readonly state: "damaged"; readonly damage: string }
  | { readonly state: "unknown"; readonly cause: string };

export type BackgroundCheck = {
  readonly result: Promise<Checked>;
  /** Ends the check. Its result is then `unknown`. */
  readonly end: () => void;
};

/** As in search/searcher.ts: the compiled binary has this thread as an entry point of its own. */
const THREAD = new URL(
  Bun.isStandaloneExecutable ? "./db/sqlite/files/check-thread.js" : "./check-thread.ts",
  import.meta.url,
);

/** Checks all data in the directory on a thread of its own. */
export const checkInBackground = (directory: string): BackgroundCheck => {
  const { promise, resolve } = Promise.withResolvers<Checked>();
  const thread = new Worker(THREAD, { ref: false, smol: true });
  const done = (result: Checked): void => {
    resolve(result);
    thread.terminate();
  };
  thread.addEventListener("message", ({ data }: MessageEvent<Checked>) => done(data));
  thread.addEventListener("error", (event) => {
    event.preventDefault();
    done({ state: "unknown", cause: event.message });
  });
  thread.postMessage(directory, []);
  return { result: promise, end: () => done({ state: "unknown", cause: "The server stopped." }) };
};
