import type { Database } from "bun:sqlite";
import { breathe } from "../../domain/base/breathe.ts";
import { CACHE_KIB } from "./connection.ts";
import { pagesInLog } from "./files/log-file.ts";

/**
 * What a transaction of many megabytes does so that COMMIT, which cannot be done in slices, has little left to do.
 *
 * SQLite writes changed pages to its log when its cache is full, and the rest in COMMIT. If a page changes after it was
 * written to the log, COMMIT also sums up again all that follows it there. COMMIT took 56 to 86 ms of a push of 60 MiB of
 * new tasks, and 190 to 300 ms if it replaced as much. Now it takes 1 to 4 ms, and the push takes no longer.
 */
export type LongWrite = {
  /**
   * Says that so many bytes are about to be written. The cache is given room for most of them: a page of an index changes
   * again when the page after it is full, which is after up to 55 % of a push of 500 records. `readBack` reads what was
   * written, in slices.
   */
  readonly expect: (bytes: number, readBack: Read) => void;
  /**
   * Says that pages are about to change in no order, and some of them again much later. The cache is given room for
   * 192 MiB of them. If there may be more, those that change again must be read now and then, so that they stay in it.
   * `readOther` reads pages that do not change, in slices.
   */
  readonly expectScattered: (readOther: Read) => void;
  /** Whether enough was announced for `settle` to be worth its while. */
  readonly isLong: () => boolean;
  /**
   * Writes nearly all changed pages to the log. Nothing else may be written after this. SQLite has no command for it, but
   * when the cache is full it writes a page for each one that it reads. So the cache shrinks, and what was written is
   * read back twice: of the first half of it, the pages are no longer in the cache. If all of them are, other pages are
   * read until the log no longer grows.
   */
  readonly settle: () => Promise<void>;
  /** Gives the cache its usual size again, after COMMIT or if it does not come to that. */
  readonly end: () => void;
};

/** In bytes. COMMIT writes fewer than these quickly. */
const MANY = 4 * 1024 * 1024;
const SHARE = 0.75;
const KIB = 1024;
/** A push has at most 16 MiB, and replaces as much. */
const LARGEST_CACHE_KIB = 50_000;
const SCATTERED_CACHE_KIB = 192 * 1024;
const SMALLEST_CACHE_KIB = 500;

/**
 * A long write was announced in a transaction that it shares. Roll that back, and run the long write in one of its own:
 * the others may change a page again that it has written to the log.
 */
export class NotAlone extends Error {}

/** Throws `NotAlone` when a long write is announced, unless it is `alone` in its transaction. */
export const startLongWrite = (database: Database, alone: boolean): LongWrite => {
  const [readBacks, readOthers]: [Read[], Read[]] = [[], []];
  /** In KiB; 0 if it has its usual size. */
  let cache = 0;
  const isLong = (): boolean => cache > 0;
  const resize = (kib: number): void => {
    database.run(`PRAGMA cache_size = -${kib}`);
  };
  const announce = (bytes: number, kib: number): void => {
    if (bytes < MANY || kib <= cache) return;
    if (!alone) throw new NotAlone();
    cache = kib;
    resize(kib);
  };
  const writeFor = async (readOther: Read): Promise<void> => {
    for (let before = pagesInLog(database); ;) {
      await breathe();
      await readOther();
      const pages = pagesInLog(database);
      // If the log was begun anew meanwhile, it has fewer.
      if (pages === before) return;
      before = pages;
    }
  };
  return {
    expect: (bytes, readBack) => {
      readBacks.push(readBack);
      announce(bytes, Math.min(LARGEST_CACHE_KIB, Math.ceil((bytes * SHARE) / KIB)));
    },
    expectScattered: (readOther) => {
      readOthers.push(readOther);
      announce(MANY, SCATTERED_CACHE_KIB);
    },
    isLong,
    settle: async () => {
      if (!isLong()) return;
      resize(SMALLEST_CACHE_KIB);
      for (const readBack of [...readBacks, ...readBacks]) await readBack();
      for (const readOther of readOthers) await writeFor(readOther);
    },
    end: () => {
      if (isLong()) resize(CACHE_KIB);
    },
  };
};

type Read = () => Promise<void>;
