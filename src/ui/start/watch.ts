import { followSettings } from "../state/settings.ts";
import { effect } from "@preact/signals";
import type { Client } from "../../client/client.ts";
import { state } from "../state/client.ts";
import { watchFailures } from "../acts/act.ts";
import { watchKeys, watchPaste } from "../keys/listen.ts";
import { watchDrops } from "../list/drag.ts";
import { leaveTyped } from "../state/left.ts";
import { watchLooked } from "../state/looked.ts";
import { watchDrawer } from "../state/overlay.ts";
import { isInExtension, watchToday } from "../state/screen.ts";
import { watchRestored } from "../state/restored.ts";
import { followLinks } from "../state/route.ts";
import { watchPlace } from "../state/selection.ts";
import { watchUsed } from "../state/used.ts";
import { watchSearch } from "./search.ts";

const WAITING = "docket-waiting";
const UNSENT = "docket-unsent";

/** Keeps the store in step while someone looks at the window. */
export const keepInStep = (client: Client): void => {
  const follow = (): void => (document.hidden ? client.pause() : client.live());
  document.addEventListener("visibilitychange", follow);
  follow();
  // The account pages ask before they sign out while changes wait, or were refused: they are nowhere else.
  effect(() => {
    const { waiting, refused } = state();
    localStorage.setItem(WAITING, String(waiting + refused.length));
    // The sign-in page says how many are saved then: without those that were refused.
    localStorage.setItem(UNSENT, String(waiting));
  });
};

/** Starts all that listens to the page, for as long as it lives. The web app and the extension's panel need the same. */
export const watchPage = (): void => {
  followSettings();
  watchFailures();
  if (!isInExtension) leaveTyped();
  followLinks();
  watchDrawer();
  watchToday();
  watchPlace();
  watchSearch();
  watchLooked();
  watchRestored();
  watchUsed();
  watchKeys();
  watchPaste();
  watchDrops();
};
