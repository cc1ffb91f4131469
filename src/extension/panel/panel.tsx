import { connected } from "../connect/connected.ts";
import { effect } from "@preact/signals";
import { render } from "preact";
import { warmSearch } from "../../ui/start/search.ts";
import { watchPage } from "../../ui/start/watch.ts";
import { go, pathTo, place, route } from "../../ui/state/route.ts";
import { shell } from "../../ui/state/screen.ts";
import { browser } from "../browser/api.ts";
import { followConnection } from "../core/sync.ts";
import { openTaskTabs } from "../parts/saving.ts";
import { followDevice } from "../parts/arrived.tsx";
import { followTaskWindows, taskItems } from "../parts/task-window.tsx";
import { Frame } from "./frame.tsx";
import { followLinksOut, leave } from "./nav.tsx";
import { showAccount, watchStep } from "./acts.ts";
import { followStrip } from "./tabs.ts";

const PLACE = "docket-panel-place";

/** The panel opens where it was closed. A search begins anew. */
const watchView = (): void => {
  if (location.hash === "")
    go(localStorage.getItem(PLACE) ?? pathTo({ view: "open" }), { replace: true });
  effect(() => {
    if (route.value.view !== "search") localStorage.setItem(PLACE, place.value);
  });
};

const start = async (): Promise<void> => {
  Object.assign(shell, {
    isWebApp: false,
    server: () => connected.value?.server ?? null,
    leave,
    taskItems,
    openTabs: (taskId, names, asGroup = false) =>
      void openTaskTabs(
        asGroup && browser.tabGroups
          ? { taskId, names, where: "group", onlyClosed: true }
          : { taskId, names, where: "here" },
      ),
  } satisfies Partial<typeof shell>);
  await Promise.all([
    followConnection(showAccount),
    followStrip(),
    followTaskWindows(),
    followDevice(),
  ]);
  watchView();
  followLinksOut();
  watchPage();
  watchStep();
  const root = document.getElementById("panel");
  if (root) render(<Frame />, root);
  warmSearch();
};

start().catch(() => {
  document.body.textContent =
    "Docket cannot read what is stored in this browser. If the disk is full, free some space. Then restart the browser and try again.";
});
