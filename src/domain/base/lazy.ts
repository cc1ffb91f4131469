/**
 * Creates a value on first use and returns the same one from then on. If creating it fails, the
 * next use tries again.
 */
export const lazy = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let made: Promise<T> | null = null;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = null;
      throw error;
    });
    return made;
  };
};
