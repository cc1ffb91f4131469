import { browser, isFirefox, type MenuClick, type MenuContext, type Tab } from "../browser/api.ts";
import { hasPanel, openPanel } from "../browser/commands.ts";
import { pickTabs, pickWindow } from "../save/place.ts";
import type { Destination, Saved } from "../save/request.ts";
import { saveQuietly } from "./quietly.ts";

/** The lines of the context menu, in their order. */
const LINES = [
  { id: "tab-inbox", title: "Save tab to the inbox", of: "page" },
  { id: "tab-last", title: "Save tab to the task used last", of: "page" },
  { id: "window-new", title: "Save all tabs of this window as a new task", of: "page" },
  { id: "link-inbox", title: "Save link to the inbox", of: "link" },
  { id: "link-last", title: "Save link to the task used last", of: "link" },
  { id: "panel", title: "Open the side panel", of: "panel" },
] as const;

type Line = (typeof LINES)[number]["id"];

/** Makes the menu. Browsers keep it until the extension is updated. */
export const makeMenus = async (): Promise<void> => {
  const { contextMenus } = browser;
  if (!contextMenus) return;
  await contextMenus.removeAll();
  for (const { id, title, of } of LINES)
    if (of !== "panel" || hasPanel()) contextMenus.create({ id, title, contexts: contextsOf(of) });
};

const contextsOf = (of: (typeof LINES)[number]["of"]): readonly MenuContext[] => {
  if (of === "link") return ["link"];
  if (of === "panel") return ["page", "action"];
  // Only Firefox has a menu for the tabs in its strip.
  return isFirefox() ? ["page", "tab"] : ["page"];
};

export const followMenus = (): void =>
  browser.contextMenus?.onClicked.addListener((click, tab) => void follow(click, tab));

const follow = async (click: MenuClick, tab: Tab | undefined): Promise<void> => {
  const line = click.menuItemId as Line;
  switch (line) {
    case "tab-inbox":
    case "tab-last":
      return saveQuietly({ saved: await pickTabs(tab), place: placeOf(line) });
    case "window-new": {
      const { saved, title } = await pickWindow(tab);
      return saveQuietly({ saved, place: { kind: "new", title } });
    }
    case "panel":
      return openPanel(tab?.windowId);
    case "link-inbox":
    case "link-last":
      return saveQuietly({ saved: linkOf(click), place: placeOf(line) });
  }
};

const placeOf = (line: Line): Destination => ({ kind: line.endsWith("-last") ? "last" : "inbox" });

const linkOf = ({ linkUrl = "", linkText }: MenuClick): Saved => ({
  kind: "link",
  url: linkUrl,
  title: linkText?.trim() || null,
});
