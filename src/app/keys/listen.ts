import { drawer, overlay } from "../state/overlay.ts";
import { ALT_KEYS, CTRL_KEYS, GO_KEYS, KEYS, SHIFT_KEYS } from "./keys.ts";
import { shortcutOf, watchMeaning } from "./meaning.ts";
import { singleKeys } from "./setting.ts";
import { isStillTyping, watchFields } from "./still-typing.ts";
import { isTyping } from "./typing.ts";

/** Until when a letter after `g` names a view. */
let goUntil = 0;
const GO_PAUSE = 1_500;

/** Listens for shortcuts wherever nothing is being typed. */
export const watchKeys = (): void => {
  watchMeaning();
  watchFields();
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || overlay.value !== null) return;
    const run = find(event);
    if (!run) return;
    event.preventDefault();
    run();
  });
};

const find = (event: KeyboardEvent): (() => void) | undefined => {
  const key = shortcutOf(event);
  const ctrl = event.ctrlKey || event.metaKey;
  if (ctrl && key === "k" && !event.shiftKey) return CTRL_KEYS["k"];
  if (isTyping(event.target)) return undefined;
  if (ctrl) return event.shiftKey || event.altKey ? undefined : CTRL_KEYS[key];
  if (event.altKey) return ALT_KEYS[key];
  if (isStillTyping(key, event)) return undefined;
  if (event.shiftKey && (key in SHIFT_KEYS || /^[a-z]$/.test(key))) return SHIFT_KEYS[key];
  if (key === "Escape" && drawer.value) return () => (drawer.value = false);
  if (!singleKeys.value && key.length === 1) return undefined;
  if (Date.now() < goUntil) {
    goUntil = 0;
    return GO_KEYS.get(key);
  }
  if (key === "g")
    return () => {
      goUntil = Date.now() + GO_PAUSE;
    };
  return KEYS[key];
};
