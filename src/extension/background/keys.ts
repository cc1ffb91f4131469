import { browser, type Tab } from "../browser/api.ts";
import type { Command } from "../browser/commands.ts";
import { openPanel } from "../browser/panel.ts";
import { pickTabs, pickWindow } from "../save/pick.ts";
import { saveQuietly } from "./quietly.ts";

export const followKeys = (): void =>
  browser.commands?.onCommand.addListener((name, tab) => void follow(name as Command, tab));

const follow = async (command: Command, tab: Tab | undefined): Promise<void> => {
  switch (command) {
    case "open-panel":
      return openPanel(tab?.windowId);
    case "save-tab":
      return saveQuietly({ saved: await pickTabs(tab), place: { kind: "inbox" } });
    case "save-last":
      return saveQuietly({ saved: await pickTabs(tab), place: { kind: "last" } });
    case "save-window": {
      const { saved, title } = await pickWindow(tab);
      return saveQuietly({ saved, place: { kind: "new", title } });
    }
  }
};
