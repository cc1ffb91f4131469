import { watchFailures } from "../acts/act.ts";
import { watchKeys } from "../keys/listen.ts";
import { watchPaste } from "../keys/paste.ts";
import { watchDrops } from "../list/drag.ts";
import { leaveTyped } from "../state/left.ts";
import { watchLooked } from "../state/looked.ts";
import { watchDrawer } from "../state/overlay.ts";
import { isInExtension } from "../state/page.ts";
import { watchRestored } from "../state/restored.ts";
import { followLinks } from "../state/route.ts";
import { watchPlace } from "../state/selection.ts";
import { watchToday } from "../state/today.ts";
import { watchUsed } from "../state/used.ts";
import { watchSearch } from "./search.ts";

/** Starts all that listens to the page, for as long as it lives. The web app and the extension's panel need the same. */
export const watchPage = (): void => {
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
