import type { ChildName } from "../../client/children.ts";
import type { TaskView } from "../../client/views.ts";
import type { MenuItem } from "../parts/menu.tsx";

/** What the page around the views does for them. The web app and the extension's side panel differ in it. */
type Shell = {
  /** Whether this is the web app, which can sign out and has a bookmarklet. */
  isWebApp: boolean;
  /** The server's origin; null if the panel has none yet. */
  server: () => string | null;
  /** Goes to a page of the account area. */
  leave: (path: string) => void;
  /** Opens tabs of a task in the browser. Null where the page can only open addresses. */
  openTabs: ((taskId: string, tabs: readonly ChildName[]) => void) | null;
  /** What else can be done with a task here. */
  taskItems: (task: TaskView) => readonly MenuItem[];
};

export const shell: Shell = {
  isWebApp: true,
  server: () => location.origin,
  leave: (path) => location.assign(path),
  openTabs: null,
  taskItems: () => [],
};
