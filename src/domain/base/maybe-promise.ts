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

/** Does something, and goes on with whatever it throws, at once or later. */
export const orElse = <Value>(
  attempt: () => MaybePromise<Value>,
  recover: (thrown: unknown) => MaybePromise<Value>,
): MaybePromise<Value> => {
  try {
    const value = attempt();
    return value instanceof Promise ? value.catch(recover) : value;
  } catch (thrown) {
    return recover(thrown);
  }
};
