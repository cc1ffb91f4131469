import { drawer, overlay, show } from "../state/overlay.ts";
import { ALT_KEYS, CTRL_KEYS, GO_KEYS, KEYS, SHIFT_KEYS } from "./keys.ts";
import { shortcutOf, watchMeaning } from "./meaning.ts";
import { singleKeys } from "./setting.ts";
import { isStillTyping, isTyping, watchFields } from "./still-typing.ts";
import { receive, receiveInInbox } from "../acts/receive.ts";
import { tasks } from "../state/client.ts";
import { route } from "../state/route.ts";
import { linksIn } from "../words/drafts.ts";

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

/** Links that are pasted where nothing is being typed become tabs of the open task, or a new task. */
export const watchPaste = (): void =>
  document.addEventListener("paste", (event) => {
    if (event.defaultPrevented || isTyping(event.target) || overlay.value !== null) return;
    const text = event.clipboardData?.getData("text/plain").trim() ?? "";
    if (text === "") return;
    event.preventDefault();
    paste(text);
  });

const paste = (text: string): void => {
  const { task, view } = route.value;
  const hasLinks = linksIn(text).length > 0;
  if (hasLinks && task !== null && tasks.value.has(task)) void receive(text, task);
  else if (hasLinks && view === "inbox") void receiveInInbox(text);
  else show({ kind: "new-task", text });
};
