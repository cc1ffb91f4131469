import { existsSync } from "node:fs";
import { invalid, notFound, Refusal } from "../../domain/base/refusal.ts";
import { isObject, textField } from "../../domain/base/payload.ts";
import type { Clock } from "../../domain/base/instant.ts";
import { previewFile, runFile } from "../../db/imports/file.ts";
import { findImport, listUnfinished } from "../../db/imports/journal.ts";
import { undoImport, type UndoneImport } from "../../db/imports/undo.ts";
import type { Store } from "../../db/store.ts";
import { type FileRead, samplesOf, type Wish } from "../../import/file.ts";
import { WHY_UNREADABLE } from "../../import/model.ts";
import { readLinksAs } from "../../import/shape.ts";
import { inWords, WIRE_WORDS } from "../../domain/base/message.ts";
import type { Log } from "../log.ts";
import { readUpload } from "./reader.ts";
import { type Seen, startUploads, type Upload, type Uploads } from "./uploads.ts";

/** An import that runs, or has ended since the server was started. */
export type Job = {
  readonly accountId: number;
  readonly kind: "import" | "undo";
  /** How many of the file's items are done. */
  done: number;
  state: "ended" | "failed" | "running";
  /** Why it failed, in a sentence. */
  failure: string | null;
  /** What was taken back. */
  undone: UndoneImport | null;
};

/** Imports of uploaded files. They run in this process, one at a time for each account, also if their page is closed. */
export type Imports = {
  readonly uploads: Uploads;
  /** Says what would come of an upload. Refuses a file of which nothing can be made, and forgets it. */
  readonly preview: (upload: Upload, wish: Wish) => Promise<Seen>;
  /** Starts to import an upload. Returns the import's id. Refuses if the account has no room, or another import runs. */
  readonly begin: (upload: Upload, wish: Wish) => Promise<number>;
  /** Goes on with an import that was stopped. */
  readonly resume: (accountId: number, importId: number) => Promise<void>;
  /** Whether the file of a stopped import is still there. */
  readonly canResume: (upload: string | null) => boolean;
  /** Starts to take an import back. */
  readonly undo: (accountId: number, importId: number) => Promise<void>;
  /** What runs, or has ended, of an import; null if nothing did since the server was started. */
  readonly jobOf: (importId: number) => Job | null;
  /** Goes on with what was not finished when the server last stopped, and removes the files of all others. */
  readonly goOn: () => Promise<void>;
  /** Removes the files that nobody needs any more. */
  readonly sweep: () => Promise<void>;
  /** Stops every import where it is. Call `goOn` at the next start. */
  readonly stop: () => Promise<void>;
};

type Parts = { readonly store: Store; readonly clock: Clock; readonly log: Log };

/** How many tasks a preview shows, and how much of what is left out. */
const SAMPLES = 12;
const LEFT_OUT = 200;

export const startImports = ({ store, clock, log }: Parts): Imports => {
  const uploads = startUploads(store.directory, clock);
  const jobs = new Map<number, Job>();
  const busy = new Set<number>();
  /** The uploads that are read or imported now. */
  const inUse = new Set<string>();
  const running = new Set<Promise<void>>();
  const stopping = new AbortController();
  const isStopping = (): boolean => stopping.signal.aborted;
  /** Throws once the server stops. */
  const goesOn = (): void => stopping.signal.throwIfAborted();
  let lastReading: Promise<unknown> = Promise.resolve();

  /** One file at a time: a large one takes a few hundred MiB while it is read. */
  const read = async (id: string, name: string, wish: Wish): Promise<FileRead> => {
    const reading = lastReading.then(() =>
      readUpload(uploads.pathOf(id), name, wish, stopping.signal),
    );
    lastReading = reading.catch(() => {});
    const file = await reading;
    if ("error" in file) throw invalid(WHY_UNREADABLE[file.error]);
    return file;
  };

  const preview = async (upload: Upload, wish: Wish): Promise<Seen> => {
    const key = JSON.stringify(wish);
    if (upload.preview?.wish === key) return upload.preview.seen;
    const file = await read(upload.id, upload.name, wish).catch((error: unknown) => {
      uploads.remove(upload.id);
      throw error;
    });
    const { format, leftOut } = file;
    const made = await previewFile(store, upload.accountId, file);
    const seen = {
      ...made,
      format,
      skipped: leftOut.length,
      leftOut: leftOut.slice(0, LEFT_OUT),
      samples: samplesOf(file, SAMPLES),
    };
    upload.preview = { wish: key, seen };
    return seen;
  };

  /** Runs `work` in the background, as the account's only job. `work` says by which import it is to be found. */
  const run = (
    accountId: number,
    kind: Job["kind"],
    work: (job: Job, found: (importId: number) => void) => Promise<void>,
  ): Promise<number> => {
    if (isStopping()) throw new Refusal("unavailable", "The server stops. Try again in a minute.");
    if (busy.has(accountId))
      throw new Refusal("still_running", "Another import runs. Wait until it has ended.");
    busy.add(accountId);
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const job: Job = { accountId, kind, done: 0, state: "running", failure: null, undone: null };
    const found = (importId: number): void => {
      jobs.set(importId, job);
      resolve(importId);
    };
    const end = (error: unknown): void => {
      busy.delete(accountId);
      job.state = error === null ? "ended" : "failed";
      if (error === null) return;
      const refusal = error instanceof Refusal ? error : store.faults.refusal(error);
      if (refusal === null) log.error("an import failed", error);
      job.failure = refusal === null ? FAILED : inWords(refusal.sentence, WIRE_WORDS);
      // Nobody waits for it once the import was found.
      promise.catch(() => {});
      reject(refusal ?? error);
    };
    const whole = work(job, found).then(() => end(null), end);
    running.add(whole);
    void whole.finally(() => running.delete(whole));
    return promise;
  };

  /** `importId`: of one that was begun before. */
  const importFile = async (
    accountId: number,
    { id, name, wish }: StoredUpload,
    importId: number | null = null,
  ): Promise<number> =>
    run(accountId, "import", async (job, found) => {
      if (importId !== null) found(importId);
      inUse.add(id);
      try {
        const file = await read(id, name, wish);
        const upload = JSON.stringify({ id, name, wish });
        await runFile(store, accountId, { ...file, upload }, clock.wall, {
          onOpened: found,
          onProgress: (done) => {
            job.done = done;
            goesOn();
          },
        });
      } finally {
        inUse.delete(id);
      }
      uploads.remove(id);
    });

  /** The imports that were begun and not finished, and whose files are here. */
  const unfinished = async () =>
    (await listUnfinished(store.reader)).flatMap(({ id, accountId, upload }) => {
      const stored = readStored(upload);
      return stored && canResume(upload) ? [{ id, accountId, stored }] : [];
    });

  const sweep = async (): Promise<void> => {
    const stored = (await unfinished()).map((one) => one.stored.id);
    uploads.keepOnly(new Set([...stored, ...inUse]));
  };

  const canResume = (upload: string | null): boolean => {
    const stored = upload === null ? null : readStored(upload);
    return stored !== null && existsSync(uploads.pathOf(stored.id));
  };

  return {
    uploads,
    preview,
    begin: async (upload, wish) => {
      const { id, name, accountId } = upload;
      uploads.take(id);
      return importFile(accountId, { id, name, wish }).catch((error: unknown) => {
        uploads.put(upload);
        throw error;
      });
    },
    canResume,
    resume: async (accountId, importId) => {
      const found = await findImport(store.reader, accountId, importId);
      const stored = found?.upload ? readStored(found.upload) : null;
      if (!found || found.finishedAt !== null || found.undoneAt !== null) throw notFound("import");
      if (!stored || !canResume(found.upload))
        throw invalid("The file is no longer on the server. Import the same file again to go on.");
      await importFile(accountId, stored, importId);
    },
    undo: async (accountId, importId) => {
      const found = await findImport(store.reader, accountId, importId);
      if (!found) throw notFound("import");
      if (found.undoneAt !== null) return;
      await run(accountId, "undo", async (job, tell) => {
        tell(importId);
        job.undone = await undoImport(store, accountId, importId, clock.wall, goesOn);
        const stored = found.upload === null ? null : readStored(found.upload);
        if (stored) uploads.remove(stored.id);
      });
    },
    jobOf: (importId) => jobs.get(importId) ?? null,
    goOn: async () => {
      await sweep();
      for (const { id, accountId, stored } of await unfinished()) {
        log.info("an import goes on", { file: stored.name });
        // Its failure is in the log, and on its page.
        await importFile(accountId, stored, id).catch(() => {});
        await Promise.all(running);
      }
    },
    sweep,
    stop: async () => {
      stopping.abort(new Refusal("unavailable", "The server stopped."));
      await Promise.all(running);
    },
  };
};

const FAILED = "Something went wrong. The server's log has the details.";

/** What the journal says of an uploaded file. */
type StoredUpload = { readonly id: string; readonly name: string; readonly wish: Wish };

const readStored = (upload: string): StoredUpload | null => {
  const value: unknown = JSON.parse(upload);
  if (!isObject(value) || !isObject(value["wish"])) return null;
  const { into, links, isAll } = value["wish"];
  const id = textField(value, "id") ?? "";
  if (!/^[0-9a-f]{32}$/.test(id)) return null;
  const wish: Wish = {
    into: typeof into === "string" ? into : null,
    links: readLinksAs(links),
    isAll: isAll === true,
  };
  return { id, name: textField(value, "name") ?? "", wish };
};
