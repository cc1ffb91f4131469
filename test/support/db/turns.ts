/**
 * Runs `work`. Returns how many turns others had meanwhile. A count, because the longest wait depends on the machine: a
 * busy disk can make one sync longer than all the rest.
 */
export const turnsDuring = async (work: () => Promise<unknown>): Promise<number> => {
  const state = { turns: 0, done: false };
  const turn = (): void => {
    state.turns++;
    if (!state.done) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  state.done = true;
  return state.turns;
};

/** The turns during work that is not done in slices. */
export const WITHOUT_SLICES = 1;
