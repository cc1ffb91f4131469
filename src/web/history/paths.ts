/** The address of a task, of its history, or of restoring one of its versions. */
export const taskPath = (id: string, what: "" | "/history" | "/restore" = ""): string =>
  `/account/tasks/${encodeURIComponent(id)}${what}`;
