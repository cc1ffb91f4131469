/**
 * Runs jobs that read the store, decide, and write it, one after the other, whichever page or worker they run in: two
 * saves at the same moment must not both make an inbox.
 */
export const inTurn = <T>(job: () => Promise<T>): Promise<T> =>
  navigator.locks.request("docket turn", job) as Promise<T>;
