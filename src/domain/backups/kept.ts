import { DAY, type Instant } from "../base/instant.ts";

/** What made a copy of the data: the server once a day, or a step that changes or replaces all of them. */
export type CopyKind = "before-migration" | "before-restore" | "daily";

/** A copy of the data. `bytes` is what it takes on the disk. */
export type Copy = {
  readonly name: string;
  readonly kind: CopyKind;
  readonly at: Instant;
  readonly bytes: number;
};

/** The newest copy of each of the last 7 days, 4 weeks and 12 months that have one, in UTC. */
const KEPT: readonly (readonly [count: number, periodOf: (at: Instant) => number])[] = [
  [7, (at) => Math.floor(at / DAY)],
  // 1970 began on a Thursday; weeks begin on Monday.
  [4, (at) => Math.floor((at / DAY + 3) / 7)],
  [12, (at) => new Date(at).getUTCFullYear() * 12 + new Date(at).getUTCMonth()],
];

/**
 * Returns the copies that are kept, of each kind by the same rule, newest first. If they take more than `budget` bytes
 * together, the oldest go first, but never the newest of a kind.
 */
export const keptOf = (copies: readonly Copy[], budget: number): readonly Copy[] => {
  const newestFirst = copies.toSorted((a, b) => b.at - a.at);
  const newest = new Set(firstOfEach(newestFirst, ({ kind }) => kind));
  const wanted = new Set(
    [...newest].flatMap(({ kind }) => {
      const alike = newestFirst.filter((copy) => copy.kind === kind);
      return KEPT.flatMap(([count, periodOf]) =>
        firstOfEach(alike, ({ at }) => periodOf(at)).slice(0, count),
      );
    }),
  );
  let left = budget - bytesOf([...newest]);
  return newestFirst.filter((copy) => {
    if (!wanted.has(copy)) return false;
    if (!newest.has(copy)) left -= copy.bytes;
    return newest.has(copy) || left >= 0;
  });
};

/** The newest copy that a server made by itself, of copies that are listed newest first. */
export const newestDaily = (copies: readonly Copy[]): Copy | undefined =>
  copies.find(({ kind }) => kind === "daily");

/** Whether the newest copy is so old that two are missing. */
export const isLate = ({ at }: Copy, now: Instant): boolean => now - at > LATE;

/** In ms. */
export const LATE = 2 * DAY;

export const bytesOf = (copies: readonly Copy[]): number =>
  copies.reduce((sum, { bytes }) => sum + bytes, 0);

const firstOfEach = (
  copies: readonly Copy[],
  groupOf: (copy: Copy) => number | string,
): readonly Copy[] => {
  const seen = new Set<number | string>();
  return copies.filter((copy) => {
    const isFirst = !seen.has(groupOf(copy));
    seen.add(groupOf(copy));
    return isFirst;
  });
};
