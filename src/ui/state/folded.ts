import { toggled } from "../../domain/base/toggled.ts";
import { signal } from "@preact/signals";

const PLACE = "docket-folded";

const read = (): ReadonlySet<string> =>
  new Set(JSON.parse(localStorage.getItem(PLACE) ?? "[]") as readonly string[]);

/** The paths of folders whose children are not shown in this browser. */
export const folded = signal(read());

export const toggleFolded = (path: string): void => {
  folded.value = toggled(folded.value, path);
  localStorage.setItem(PLACE, JSON.stringify([...folded.value]));
};
