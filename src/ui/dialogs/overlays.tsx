import { moveToFolder } from "../acts/tasks.ts";
import { shiftTabs, tabsToNewTask } from "../acts/tabs.ts";
import { Dialog } from "../parts/dialog.tsx";
import { hideOverlay, overlay } from "../state/overlay.ts";
import { count } from "../words/names.ts";
import { Bookmarklet } from "./bookmarklet.tsx";
import { DueDialog } from "./due.tsx";
import { ForGood } from "./for-good.tsx";
import { TaskHistory } from "./history.tsx";
import { NewTask } from "./new-task.tsx";
import { OpenMany } from "./open-many.tsx";
import { Palette } from "./palette.tsx";
import { PickFolder } from "./pick-folder.tsx";
import { PickTask } from "./pick-task.tsx";
import { Settings } from "./settings.tsx";
import { Shortcuts } from "./shortcuts.tsx";
import { SignOut } from "./sign-out.tsx";

/** The dialog that is open, if any. */
export const Overlays = () => {
  const shown = overlay.value;
  switch (shown?.kind) {
    case "new-task":
      return <NewTask text={shown.text ?? ""} />;
    case "palette":
      return <Palette />;
    case "shortcuts":
      return <Shortcuts />;
    case "settings":
      return <Settings />;
    case "bookmarklet":
      return <Bookmarklet />;
    case "sign-out":
      return <SignOut />;
    case "open-many":
      return <OpenMany urls={shown.urls} />;
    case "due":
      return <DueDialog ids={shown.ids} />;
    case "history":
      return <TaskHistory id={shown.id} />;
    case "for-good":
      return <ForGood ids={shown.ids} />;
    case "pick-task":
      return (
        <Dialog label={shown.label} class="palette">
          <PickTask withInbox onPick={(picked) => hideAfter(shown.onPick(picked))} />
        </Dialog>
      );
    case "move-tasks":
      return (
        <Dialog label={`Move ${count(shown.ids.length, "task")} to a folder`} class="palette">
          <PickFolder onPick={(id) => hideAfter(moveToFolder(shown.ids, id))} />
        </Dialog>
      );
    case "move-tabs":
      return (
        <Dialog label={`Move ${count(shown.tabs.length, "tab")} to a task`} class="palette">
          <PickTask
            without={shown.from}
            withInbox
            onPick={({ id, name }) =>
              hideAfter(
                id === undefined
                  ? tabsToNewTask(shown.from, shown.tabs, name)
                  : shiftTabs(shown.from, shown.tabs, id),
              )
            }
          />
        </Dialog>
      );
    default:
      return null;
  }
};

/** A dialog in which something was typed closes only once that is saved. */
const hideAfter = async (saving: Promise<boolean | string | null>): Promise<boolean> => {
  const isSaved = Boolean(await saving);
  if (isSaved) hideOverlay();
  return isSaved;
};
