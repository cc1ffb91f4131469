import { KNOWN_STATUSES, PROPOSED } from "../../domain/tasks/task.ts";
import type { IconName } from "../parts/marks.tsx";

/** The statuses that people choose from. */
export const STATUSES = KNOWN_STATUSES.filter((status) => status !== PROPOSED);

const ICONS: Readonly<Record<string, IconName>> = {
  todo: "circle",
  in_progress: "circle-dot",
  blocked: "circle-minus",
  in_review: "circle-ellipsis",
  done: "circle-check",
  cancelled: "circle-x",
};

export const statusIcon = (status: string): IconName =>
  Object.hasOwn(ICONS, status) ? (ICONS[status] ?? "circle-dashed") : "circle-dashed";
