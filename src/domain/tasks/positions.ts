import { generateKeyBetween, generateNKeysBetween } from "fractional-indexing";
import { parseInstant } from "../base/instant.ts";

export type Placed = {
  readonly id: string;
  readonly position: string | null;
  /** ISO text. Without it, records that have no position share one place. */
  readonly updatedAt?: string;
};

/**
 * Where records without a position are in lists that people arrange: between what was dragged above such records and
 * what was dragged below them. Keys of `fractional-indexing` start at `a0` and grow to both sides, so that there is
 * room on either side. All devices must use the same.
 */
const UNPLACED = "ZzUq7";

/**
 * Returns a record's place: its position, or else one that its time and its id make, the newest first. So there is room
 * between any two records without a position.
 */
export const placeOf = ({ id, position, updatedAt }: Placed): string => {
  if (position !== null) return position;
  if (updatedAt === undefined) return UNPLACED;
  // A key does not end with 0.
  return `${UNPLACED}${digits(LATEST - instantOf(updatedAt), 9)}${codesOf(id)}V`;
};

/** The same record in lists whose records without a position are in another order than that of their times. */
export const withoutTime = ({ id, position }: Placed): Placed => ({ id, position });

/** Below 0 if the first record comes first in lists that people arrange. */
export const comparePlaces = (a: Placed, b: Placed): number => {
  if (a.position === null && b.position === null)
    return instantOf(b.updatedAt ?? "") - instantOf(a.updatedAt ?? "") || compareTexts(a.id, b.id);
  if (a.position !== null && b.position !== null) return compareTexts(a.position, b.position);
  const place = a.position ?? b.position ?? "";
  // Hardly any record is among those without a position.
  const isAmong = place.startsWith(UNPLACED);
  return isAmong
    ? compareTexts(placeOf(a), placeOf(b))
    : compareTexts(a.position ?? UNPLACED, b.position ?? UNPLACED);
};

const compareTexts = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** The last instant that a date can be, in ms. */
const LATEST = 8.64e15;

const instantOf = (text: string): number => Math.max(0, parseInstant(text) ?? 0);

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Writes a number so that texts are in the order of the numbers. */
const digits = (number: number, length: number): string =>
  Array.from({ length }, (_, at) => DIGITS[Math.floor(number / 62 ** (length - 1 - at)) % 62]).join(
    "",
  );

const codesOf = (id: string): string =>
  Array.from({ length: id.length }, (_, at) => digits(id.charCodeAt(at), 3)).join("");

/** The positions of new records above all others; none if those that have no position are at the top. */
export const topPlaces = (list: readonly Placed[], added: readonly string[]): Places => {
  const placed = list.filter(({ position }) => position !== null && position < UNPLACED);
  if (placed.length === 0) return new Map();
  const first = placed.reduce((one, other) => (placeOf(other) < placeOf(one) ? other : one));
  return placesFor([first], added, 0);
};

/** The positions that records get, by id. */
type Places = ReadonlyMap<string, string>;

/**
 * Returns the positions that put `moved` in front of index `at` of a list (which still holds the moved ones). Only the
 * moved ones get one, but where neighbours share a place, which another client must have given them: then those above or
 * those below get positions too, whichever are fewer.
 */
export const placesFor = (
  list: readonly Placed[],
  moved: readonly string[],
  at: number,
): Places => {
  const isMoved = new Set(moved);
  const stays = ({ id }: Placed): boolean => !isMoved.has(id);
  const [above, below] = [list.slice(0, at).filter(stays), list.slice(at).filter(stays)];
  const [up, down] = [pushedUp(above, below[0]), pushedDown(above.at(-1), below)];
  const found =
    up.pushed.length < down.pushed.length
      ? places([...ids(up.pushed), ...moved], up.before, up.after)
      : places([...moved, ...ids(down.pushed)], down.before, down.after);
  // There is no room between positions of another client: this list gets its own.
  return [...found.values()].includes("")
    ? places([...ids(above), ...moved, ...ids(below)], null, null)
    : found;
};

type Pushed = {
  readonly pushed: readonly Placed[];
  readonly before: string | null;
  readonly after: string | null;
};

/** What must be placed again above the moved ones, so that there is room in front of the record below them. */
const pushedUp = (above: readonly Placed[], next: Placed | undefined): Pushed => {
  const after = next ? placeOf(next) : null;
  const last = above.findLastIndex((one) => after === null || placeOf(one) < after);
  return { pushed: above.slice(last + 1), before: placeAt(above, last), after };
};

const pushedDown = (last: Placed | undefined, below: readonly Placed[]): Pushed => {
  const before = last ? placeOf(last) : null;
  const found = below.findIndex((one) => before === null || placeOf(one) > before);
  const next = found === -1 ? below.length : found;
  return { pushed: below.slice(0, next), before, after: placeAt(below, next) };
};

const placeAt = (list: readonly Placed[], at: number): string | null => {
  const one = list[at];
  return one ? placeOf(one) : null;
};

const ids = (list: readonly Placed[]): readonly string[] => list.map(({ id }) => id);

const places = (named: readonly string[], before: string | null, after: string | null): Places => {
  const keys = keysBetween(before, after, named.length);
  return new Map(named.map((id, index) => [id, keys[index] ?? ""]));
};

const keysBetween = (
  before: string | null,
  after: string | null,
  count: number,
): readonly string[] => {
  try {
    return generateNKeysBetween(before, after, count);
  } catch {
    // Positions of another client that are no keys.
    const keys: string[] = [];
    for (let at = 0; at < count; at += 1)
      keys.push(textBetween(keys.at(-1) ?? before ?? "", after));
    return keys;
  }
};

/** The first position of a list. What has none comes before it. */
const FIRST_PLACE = generateKeyBetween(null, null);

/** Returns the position after another one, and after all records without one. */
export const placeBehind = (last: string | null): string =>
  keysBetween(last !== null && last >= FIRST_PLACE ? last : null, null, 1)[0] ?? FIRST_PLACE;

/** Returns a text between two, or an empty one if there is none. The first character that can be printed is never its last. */
const textBetween = (before: string, after: string | null): string => {
  if (after === null || `${before}V` < after) return `${before}V`;
  const next = after.charCodeAt(before.length);
  if (next > FIRST + 1) return `${before}${String.fromCharCode((FIRST + next) >> 1)}`;
  return next >= FIRST ? textBetween(`${before}!`, after) : "";
};

/** The code of `!`. */
const FIRST = 33;
