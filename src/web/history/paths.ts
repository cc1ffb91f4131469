/** The address of a task in the app, where it is read and changed. */
export const appTaskPath = (id: string): string => `/tasks/open?task=${encodeURIComponent(id)}`;

/** The address in the account area of a task, of its history, or of restoring one of its versions. */
export const taskPath = (id: string, what: "" | "/history" | "/restore" = ""): string =>
  `/account/tasks/${encodeURIComponent(id)}${what}`;
