/** The page of a task, or of what happened to it. */
export const taskPath = (id: string, what: "" | "/history" | "/restore" = ""): string =>
  `/account/tasks/${encodeURIComponent(id)}${what}`;
