import { generateNKeysBetween } from "fractional-indexing";

export type Placed = { readonly id: string; readonly position: string | null };

/**
 * Where a record without a position is in lists that people arrange: between what was dragged above such records and
 * what was dragged below them. Keys of `fractional-indexing` start at `a0` and grow to both sides, so that there is
 * room on either side. All devices must use the same.
 */
const UNPLACED = "ZzUq7";

export const placeOf = ({ position }: Pick<Placed, "position">): string => position ?? UNPLACED;

/** The positions that records get, by id. */
type Places = ReadonlyMap<string, string>;

/**
 * Returns the positions that put `moved` in front of index `at` of a list (which still holds the moved ones). Where
 * neighbours share a place, as all records without a position do, those above or those below get positions too:
 * whichever are fewer. At the top and at the end of any list, only the moved ones are written.
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
  try {
    return up.pushed.length < down.pushed.length
      ? places([...ids(up.pushed), ...moved], up.before, up.after)
      : places([...moved, ...ids(down.pushed)], down.before, down.after);
  } catch {
    // Positions of another client that are no keys: this list gets its own.
    return places([...ids(above), ...moved, ...ids(below)], null, null);
  }
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
  const keys = generateNKeysBetween(before, after, named.length);
  return new Map(named.map((id, index) => [id, keys[index] ?? ""]));
};
