import { draggable } from "../../ui/list/drag.ts";
import { Icon } from "../../ui/parts/marks.tsx";
import { records } from "../../ui/state/client.ts";
import { tabKey } from "../../ui/task/tab-keys.ts";
import { inColour } from "../../ui/words/names.ts";
import { hostOf } from "../../ui/words/links.ts";
import { taskName } from "../../client/views.ts";
import type { Tab, TabGroup } from "../browser/api.ts";
import { savableTitle, savableUrl } from "../save/savable.ts";
import { urlOf } from "../save/tabs.ts";
import { tasksWith } from "../saved/find.ts";
import { askAndSave, dragOf, goTo, selectedTabs, toggleTab } from "./acts.ts";
import { OpenIcon } from "../parts/open-icon.tsx";
import { canSave, openTabs } from "./tabs.ts";

type OpenTabProps = { readonly tab: Tab; readonly group: TabGroup | null };

/** One tab of the strip: where it is saved, and a way to save it. It is dragged onto a task, or saved by a key. */
export const OpenTab = ({ tab, group }: OpenTabProps) => {
  const { id = -1, title, active, pinned } = tab;
  const url = urlOf(tab);
  const name = savableTitle(title, url) ?? (url || "New tab");
  const isSelected = selectedTabs.value.has(id);
  const isSavable = canSave(tab);
  const along = (): readonly Tab[] =>
    isSelected ? openTabs.value.filter((one) => selectedTabs.value.has(one.id ?? -1)) : [tab];
  const ask = (): void => {
    if (isSavable) askAndSave(along());
  };
  return (
    <li
      {...inColour(
        group?.color ?? null,
        `tab open-tab${isSelected ? " selected" : ""}${group ? " grouped" : ""}${isSavable ? "" : " unsavable"}`,
      )}
      {...(isSavable ? draggable(() => dragOf(along()), url) : {})}
      onKeyDown={(event) => {
        const run = tabKey(event, {
          move: ask,
          select: () => isSavable && toggleTab(id),
          remove: () => {},
          shift: () => {},
          copy: () => {},
        });
        if (!run) return;
        event.preventDefault();
        event.stopPropagation();
        run();
      }}
    >
      <input
        type="checkbox"
        class="select"
        aria-label={`Select ${name}`}
        disabled={!isSavable}
        checked={isSelected}
        onClick={() => toggleTab(id)}
      />
      {pinned ? <Icon name="pin" size={16} /> : <OpenIcon tab={tab} />}
      <span class="tab-text">
        <button
          type="button"
          class="title"
          dir="auto"
          title={url}
          aria-current={active ? "true" : undefined}
          onClick={() => goTo(tab)}
        >
          {name}
        </button>
        {isSavable && <span class="host">{hostOf(savableUrl(url) ?? "")}</span>}
      </span>
      <SavedMark url={url} />
      {isSavable && (
        <button
          type="button"
          class="icon-button small save"
          aria-label={`Save ${name} to a task`}
          title="Save to a task ( m )"
          onClick={ask}
        >
          <Icon name="plus" size={14} />
        </button>
      )}
    </li>
  );
};

/** Whether the page is saved, and where. */
const SavedMark = ({ url }: { readonly url: string }) => {
  const tasks = tasksWith(records.value, url);
  if (tasks.length === 0) return null;
  const where = `Saved in ${tasks.map(taskName).join(", ")}`;
  return (
    <span class="saved-mark" role="img" aria-label={where} title={where}>
      <Icon name="check" size={14} />
    </span>
  );
};
