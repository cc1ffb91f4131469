/** Maps one after the other: what is read in a transaction must not overlap. Returns the results in the same order. */
export const mapInOrder = async <From, To>(
  all: Iterable<From>,
  map: (one: From) => Promise<To>,
): Promise<readonly To[]> => {
  const mapped: To[] = [];
  for (const one of all) mapped.push(await map(one));
  return mapped;
};
