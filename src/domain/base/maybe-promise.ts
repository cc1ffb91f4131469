/** What is there at once, or soon. */
export type MaybePromise<Value> = Promise<Value> | Value;

/**
 * Goes on with what is there at once or soon. Only what has to be waited for becomes a promise: while one is pending,
 * Bun keeps a copy of the request, which takes longer than most of what a call asks for.
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
