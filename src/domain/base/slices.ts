import { andThen, inTurn, type MaybePromise, repeat } from "./maybe-promise.ts";

/** How long work goes on before it lets others go on, in ms. */
const SLICE = 8;

/** When the present turn of the event loop began, for work in slices; null if there was none in it yet. */
let began: number | null = null;

const turnBegan = (): number => {
  if (began === null) {
    began = performance.now();
    setImmediate(() => {
      began = null;
    });
  }
  return began;
};

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Lets everything that has arrived meanwhile go on first. It takes two turns of the event loop, because Bun may run the
 * next one before it looks at its sockets.
 */
export const letOthersGoOn = async (): Promise<void> => {
  await turn();
  await turn();
};

/**
 * Work in slices. `over` says whether the present one is over; `rest` then lets others go on and begins the next. All
 * that works in one turn of the event loop shares a slice: loops that follow one another hold others up together.
 * `worked` is how long all of them took, in ms, without what others did in between.
 */
export const startSlices = () => {
  turnBegan();
  let [before, since] = [0, performance.now()];
  const slice = (): number => performance.now() - since;
  return {
    worked: (): number => before + slice(),
    over: (): boolean => performance.now() - turnBegan() >= SLICE,
    rest: async (): Promise<void> => {
      before += slice();
      await letOthersGoOn();
      turnBegan();
      since = performance.now();
    },
  };
};

export type Slices = ReturnType<typeof startSlices>;

/** Does the work; if the slice is over, once others have had their turn. */
export const inSlice = <Value>(
  slices: Slices,
  work: () => MaybePromise<Value>,
): MaybePromise<Value> => (slices.over() ? slices.rest().then(work) : work());

/** Repeats `work` until it returns false, in slices. */
export const repeatInSlices = (
  work: (slices: Slices) => MaybePromise<boolean>,
): MaybePromise<void> => {
  const slices = startSlices();
  return repeat(() =>
    andThen(work(slices), (more) =>
      more && slices.over() ? slices.rest().then(() => true) : more,
    ),
  );
};

/** Runs `work` for each item, one after the other, in slices; the first at once. The work may itself have to wait. */
export const inTurnInSlices = <Item>(
  items: Iterable<Item>,
  work: (item: Item) => MaybePromise<unknown>,
): MaybePromise<void> => {
  const slices = startSlices();
  let isFirst = true;
  return inTurn(items, (item) => {
    if (!isFirst) return inSlice(slices, () => work(item));
    isFirst = false;
    return work(item);
  });
};

/** Works on each value in slices, so that a long list holds nobody up. A short one is done at once. */
export const eachInSlices = <Value>(
  values: readonly Value[],
  work: (value: Value) => void,
): MaybePromise<void> => {
  const slices = startSlices();
  for (const [at, value] of values.entries()) {
    // A single value never has to wait: nearly all calls have no more.
    if (at > 0 && slices.over()) return goOn(values.slice(at), work, slices);
    work(value);
  }
  return undefined;
};

const goOn = async <Value>(
  values: readonly Value[],
  work: (value: Value) => void,
  slices: Slices,
): Promise<void> => {
  for (const value of values) {
    if (slices.over()) await slices.rest();
    work(value);
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

/** Filters a list in the same way. */
export const filterInSlices = <Value>(
  values: readonly Value[],
  isWanted: (value: Value) => boolean,
): MaybePromise<readonly Value[]> => {
  const wanted: Value[] = [];
  return andThen(
    eachInSlices(values, (value) => {
      if (isWanted(value)) wanted.push(value);
    }),
    () => wanted,
  );
};
