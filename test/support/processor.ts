/**
 * Returns what this process has computed until now, in ms, in all its threads. Unlike the time, it does not go on while
 * other programs have the processor.
 */
export const computed = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** Does something, and returns what this process has computed meanwhile, in ms. */
export const computedIn = async (work: () => Promise<unknown>): Promise<number> => {
  const before = computed();
  await work();
  return computed() - before;
};
