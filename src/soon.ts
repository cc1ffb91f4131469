/** What is there at once, or soon. */
export type Soon<Value> = Promise<Value> | Value;

/**
 * Goes on with what is there at once or soon. Only what has to be waited for becomes a promise: while one is pending,
 * Bun keeps a copy of the request, which takes longer than most of what a call asks for.
 */
export const soon = <Value, Next>(
  value: Soon<Value>,
  next: (value: Value) => Soon<Next>,
): Soon<Next> => (value instanceof Promise ? value.then(next) : next(value));
