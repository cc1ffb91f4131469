import { signal } from "@preact/signals";

const PLACE = "docket-folded";

const read = (): ReadonlySet<string> =>
  new Set(JSON.parse(localStorage.getItem(PLACE) ?? "[]") as readonly string[]);

/** The paths of folders whose children are not shown in this browser. */
export const folded = signal(read());

export const toggleFolded = (path: string): void => {
  const next = new Set(folded.value);
  if (!next.delete(path)) next.add(path);
  folded.value = next;
  localStorage.setItem(PLACE, JSON.stringify([...next]));
};
