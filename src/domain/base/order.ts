// Lists of names, each there once, of which two sides have put some in and taken some out.

/** Puts each missing one behind the nearest of its predecessors that is there, and behind what they put there. */
export const withInserted = (
  kept: readonly string[],
  made: readonly string[],
  missing: ReadonlySet<string>,
  isTheirs: (name: string) => boolean,
): readonly string[] => {
  if (missing.size === 0) return kept;
  const next = new Map<string | null, string>();
  kept.forEach((name, at) => next.set(kept[at - 1] ?? null, name));
  const there = new Set(kept);
  let before: string | null = null;
  for (const name of made) {
    if (missing.has(name)) {
      let at: string | null = before;
      for (let behind = next.get(at); behind !== undefined && isTheirs(behind);) {
        at = behind;
        behind = next.get(at);
      }
      const following = next.get(at);
      if (following !== undefined) next.set(name, following);
      next.set(at, name);
      there.add(name);
    }
    if (there.has(name)) before = name;
  }
  const names: string[] = [];
  for (let at = next.get(null); at !== undefined; at = next.get(at)) names.push(at);
  return names;
};

/** Whether what two lists share stands in another order in the second. */
export const isReordered = (was: readonly string[], made: readonly string[]): boolean => {
  const [known, kept] = [new Set(was), new Set(made)];
  const before = was.filter((name) => kept.has(name));
  const after = made.filter((name) => known.has(name));
  return before.some((name, at) => name !== after[at]);
};

/** Puts the names that are in `made` in its order; all others keep their places. */
export const inOrderOf = (made: readonly string[], names: readonly string[]): readonly string[] => {
  const [there, ours] = [new Set(names), new Set(made)];
  const mine = made.filter((name) => there.has(name));
  let next = 0;
  return names.map((name) => (ours.has(name) ? (mine[next++] ?? name) : name));
};
