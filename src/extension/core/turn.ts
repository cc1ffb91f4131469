/**
 * Runs jobs that read the store, decide, and write it, one after the other, whichever page or worker they run in: two
 * saves at the same moment must not both make an inbox. Jobs of different queues do not wait for one another.
 */
export const inTurn = <T>(job: () => Promise<T>, queue = "docket turn"): Promise<T> =>
  navigator.locks.request(queue, job) as Promise<T>;
