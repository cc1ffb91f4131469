/** The statuses that the extension is known to use, as people read them, in the order in which work goes on. */
const NAMES: Readonly<Record<string, string>> = {
  todo: "To do",
  in_progress: "In progress",
  blocked: "Blocked",
  in_review: "In review",
  done: "Done",
  cancelled: "Cancelled",
};

/** Returns a status in words. One that we do not know is shown nearly as its client wrote it. */
export const statusName = (status: string): string =>
  Object.hasOwn(NAMES, status)
    ? (NAMES[status] ?? status)
    : status.replaceAll("_", " ").replace(/^\p{L}/u, (first) => first.toUpperCase());
