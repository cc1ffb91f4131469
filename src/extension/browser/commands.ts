/**
 * What can be done with one keystroke. Chrome, Edge and Firefox use none of these keys themselves. On a Mac, Alt types
 * characters, so there it is Control.
 */
const COMMANDS = {
  _execute_action: {
    suggested_key: { default: "Alt+Shift+D", mac: "MacCtrl+Shift+D" },
  },
  "save-tab": {
    description: "Save this tab to the inbox",
    suggested_key: { default: "Alt+Shift+S", mac: "MacCtrl+Shift+S" },
  },
  "save-window": {
    description: "Save all tabs of this window as a new task",
    suggested_key: { default: "Alt+Shift+E", mac: "MacCtrl+Shift+E" },
  },
  "save-last": {
    description: "Save this tab to the task used last",
    suggested_key: { default: "Alt+Shift+L", mac: "MacCtrl+Shift+L" },
  },
} as const;

/** Chrome refuses an extension that suggests more than four keys, so people choose the one for the panel themselves. */
export const CHROME_COMMANDS = {
  ...COMMANDS,
  "open-panel": { description: "Open the side panel" },
} as const;

export const FIREFOX_COMMANDS = {
  ...COMMANDS,
  _execute_sidebar_action: {
    description: "Open or close the sidebar",
    suggested_key: { default: "Alt+Shift+K", mac: "MacCtrl+Shift+K" },
  },
} as const;

export type Command = Exclude<keyof typeof CHROME_COMMANDS, "_execute_action">;
