import type { IconName } from "../parts/icon.tsx";

const KNOWN: Readonly<Record<string, readonly [name: string, icon: IconName]>> = {
  todo: ["To do", "circle"],
  in_progress: ["In progress", "circle-dot"],
  blocked: ["Blocked", "circle-minus"],
  in_review: ["In review", "circle-ellipsis"],
  done: ["Done", "circle-check"],
  cancelled: ["Cancelled", "circle-x"],
};

/** The statuses that people choose from. */
export const STATUSES = Object.keys(KNOWN);

/** A status in words. One that we do not know is shown as its client wrote it. */
export const statusName = (status: string): string =>
  KNOWN[status]?.[0] ??
  status.replaceAll("_", " ").replace(/^\p{L}/u, (first) => first.toUpperCase());

export const statusIcon = (status: string): IconName => KNOWN[status]?.[1] ?? "circle-dashed";
