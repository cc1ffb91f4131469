/** A value that is available now or later. */
export type MaybePromise<Value> = Promise<Value> | Value;

/**
 * Calls `next` with a value that is available now or later. Only a real promise becomes a promise:
 * while one is pending, Bun keeps a copy of the request, which costs more time than most of what a
 * call does.
 */
export const andThen = <Value, Next>(
  value: MaybePromise<Value>,
  next: (value: Value) => MaybePromise<Next>,
): MaybePromise<Next> => (value instanceof Promise ? value.then(next) : next(value));

/** Calls `attempt`. If it throws or rejects, returns what `recover` makes of the error. */
export const orElse = <Value>(
  attempt: () => MaybePromise<Value>,
  recover: (thrown: unknown) => MaybePromise<Value>,
): MaybePromise<Value> => settle(attempt, (value) => value, recover);

/** Calls `done` with the result of `work`, or `failed` with its error. */
export const settle = <Value, Next>(
  work: () => MaybePromise<Value>,
  done: (value: Value) => MaybePromise<Next>,
  failed: (error: unknown) => MaybePromise<Next>,
): MaybePromise<Next> => {
  let value: MaybePromise<Value>;
  try {
    value = work();
  } catch (error) {
    return failed(error);
  }
  return value instanceof Promise ? value.then(done, failed) : done(value);
};

/** Repeats `work` until it returns false, never two at once. */
export const repeat = (work: () => MaybePromise<boolean>): MaybePromise<void> => {
  for (;;) {
    const again = work();
    if (again instanceof Promise) return again.then((more) => (more ? repeat(work) : undefined));
    if (!again) return;
  }
};

/** Runs `work` for each item, one after the other. */
export const inTurn = <Item>(
  items: Iterable<Item>,
  work: (item: Item) => MaybePromise<unknown>,
): MaybePromise<void> => {
  const rest = items[Symbol.iterator]();
  return repeat(() => {
    const next = rest.next();
    return next.done ? false : andThen(work(next.value), () => true);
  });
};
