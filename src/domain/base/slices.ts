import { andThen, inTurn, type MaybePromise } from "./maybe-promise.ts";

/** How long work goes on before it lets others go on, in ms. */
const SLICE = 8;

/**
 * Work in slices. `over` says whether the present one is over; `rest` then lets others go on and begins the next.
 * `worked` is how long all of them took, in ms, without what others did in between.
 */
export const startSlices = () => {
  let [before, since] = [0, performance.now()];
  const slice = (): number => performance.now() - since;
  return {
    worked: (): number => before + slice(),
    over: (): boolean => slice() >= SLICE,
    rest: async (): Promise<void> => {
      before += slice();
      await new Promise<void>((resolve) => setImmediate(resolve));
      since = performance.now();
    },
  };
};

export type Slices = ReturnType<typeof startSlices>;

/** Returns the value; if the slice is over, once others have had their turn. */
export const restAfter = <Value>(slices: Slices, value: MaybePromise<Value>): MaybePromise<Value> =>
  andThen(value, (got) => (slices.over() ? slices.rest().then(() => got) : got));

/** Runs `work` for each item, one after the other, in slices. The work may itself have to wait. */
export const inTurnInSlices = <Item>(
  items: Iterable<Item>,
  work: (item: Item) => MaybePromise<unknown>,
): MaybePromise<void> => {
  const slices = startSlices();
  return inTurn(items, (item) => restAfter(slices, work(item)));
};

/** Works on each value in slices, so that a long list holds nobody up. A short one is done at once. */
export const eachInSlices = <Value>(
  values: readonly Value[],
  work: (value: Value) => void,
): MaybePromise<void> => {
  const slices = startSlices();
  for (const [at, value] of values.entries()) {
    work(value);
    if (slices.over()) return goOn(values.slice(at + 1), work, slices);
  }
  return undefined;
};

const goOn = async <Value>(
  values: readonly Value[],
  work: (value: Value) => void,
  slices: Slices,
): Promise<void> => {
  await slices.rest();
  for (const value of values) {
    work(value);
    if (slices.over()) await slices.rest();
  }
};

/** Maps a list in the same way. */
export const mapInSlices = <Value, Made>(
  values: readonly Value[],
  make: (value: Value) => Made,
): MaybePromise<readonly Made[]> => {
  const made: Made[] = [];
  return andThen(
    eachInSlices(values, (value) => void made.push(make(value))),
    () => made,
  );
};
