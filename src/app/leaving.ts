import { lastSync } from "../ui/state/client.ts";
import { say } from "../ui/state/notice.ts";
import { shell } from "../ui/state/screen.ts";

/**
 * Pages of the account area are the server's own. While it cannot be reached, the app stays and says so, where the
 * browser would show a page of its own.
 */
export const stayWithoutServer = (): void => {
  document.addEventListener("click", (event) => {
    if (!(event.target as Element).closest?.("a[href^='/account']") || isThere()) return;
    event.preventDefault();
  });
  shell.leave = (path) => {
    if (isThere()) location.assign(path);
  };
};

/** Whether the server can be reached, as far as the last sync knows. Says so if it cannot. */
const isThere = (): boolean => {
  if (navigator.onLine && lastSync.peek().kind !== "offline") return true;
  say({
    text: "This page is on the server, which cannot be reached now. Your tasks work without it.",
    kind: "problem",
  });
  return false;
};
