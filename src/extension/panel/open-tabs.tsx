import { signal } from "@preact/signals";
import { draggable } from "../../ui/list/drag.ts";
import { shownName } from "../../domain/base/text.ts";
import { Icon } from "../../ui/parts/marks.tsx";
import { inColour } from "../../ui/words/names.ts";
import { askAndSave, dragOf, selectedTabs } from "./acts.ts";
import { OpenTab } from "./open-tab.tsx";
import { canSave, type OpenRun, openRuns, openTabs } from "./tabs.ts";

const PLACE = "docket-open-tabs";

const isOpen = signal(localStorage.getItem(PLACE) !== "closed");

const toggle = (): void => {
  isOpen.value = !isOpen.value;
  localStorage.setItem(PLACE, isOpen.value ? "open" : "closed");
};

/** The tab strip as a list, from which tabs are dragged onto tasks. */
export const OpenTabs = () => {
  const tabs = openTabs.value;
  return (
    <section class="open-tabs" aria-label="Open tabs">
      <header>
        <h2>
          <button type="button" aria-expanded={isOpen.value} onClick={toggle}>
            <Icon name={isOpen.value ? "chevron-down" : "chevron-right"} size={14} />
            Open tabs <span class="number">{tabs.length}</span>
          </button>
        </h2>
        <span class="spring" />
        <SaveButton />
      </header>
      {isOpen.value && (
        <ul>
          {openRuns.value.map((run) => [
            run.group && <Head key={`group ${run.tabs[0]?.id}`} run={run} />,
            ...run.tabs.map((tab) => <OpenTab key={tab.id} tab={tab} group={run.group} />),
          ])}
        </ul>
      )}
    </section>
  );
};

/** Saves the selected tabs, or else all of them. */
const SaveButton = () => {
  const savable = openTabs.value.filter(canSave);
  const selected = savable.filter(({ id = -1 }) => selectedTabs.value.has(id));
  if (savable.length === 0) return null;
  const ask = (): void =>
    selected.length > 0 ? askAndSave(selected) : askAndSave(openTabs.value, true);
  return (
    <button type="button" class="link" onClick={ask}>
      {selected.length > 0 ? `Save ${selected.length} to…` : "Save all to…"}
    </button>
  );
};

const Head = ({ run: { group, tabs } }: { readonly run: OpenRun }) => {
  const savable = tabs.filter(canSave);
  const name = shownName(group?.title ?? "", "Unnamed group");
  return (
    <li
      {...inColour(group?.color ?? null, "tab-group open-group")}
      {...(savable.length > 0 ? draggable(() => dragOf(savable), name) : {})}
    >
      <span class="name" dir="auto">
        {name}
      </span>
      <span class="number">{tabs.length}</span>
      <span class="spring" />
      {savable.length > 0 && (
        <button
          type="button"
          class="icon-button small save"
          aria-label={`Save the group ${name} to a task`}
          title="Save the group to a task"
          onClick={() => askAndSave(savable)}
        >
          <Icon name="plus" size={14} />
        </button>
      )}
    </li>
  );
};
