import { show } from "../state/overlay.ts";
import { shell } from "../state/screen.ts";
import { historyPath } from "../views/places.ts";

/** Shows what happened to a task: over the app, or from the extension on the server's page. */
export const showHistory = (id: string): void =>
  shell.isWebApp ? show({ kind: "history", id }) : shell.leave(historyPath(id));
