import { isWebAddress, type TabView, type TaskView } from "../../client/views.ts";
import { MAX_TITLE } from "../../domain/tasks/task.ts";
import { nameOf, renameTab } from "../acts/tabs.ts";
import { Editable } from "../parts/editable.tsx";
import { typedIn } from "../state/typed.ts";
import { hostOf } from "../words/links.ts";

/** A link only if it is a web address. Anything else is text, because it could run code. */
export const TabLink = ({ tab: { url, title, madeBy } }: { readonly tab: TabView }) => (
  <span class="tab-text">
    {isWebAddress(url) ? (
      <a
        class="title"
        href={url}
        target="_blank"
        rel="noopener noreferrer"
        dir="auto"
        title={url}
        draggable={false}
      >
        {title}
      </a>
    ) : (
      <span class="title" dir="auto" tabIndex={0} title="Not a web address, so not a link">
        {title}
      </span>
    )}
    <span class="host">
      {hostOf(url) || url}
      {madeBy.author === "agent" && <span class="by"> · {madeBy.key ?? "agent"}</span>}
    </span>
  </span>
);

type RenameProps = {
  readonly task: TaskView;
  readonly tab: TabView;
  readonly onEnd: () => void;
};

/** The tab's title, while it is changed. */
export const RenameTab = ({ task, tab, onEnd }: RenameProps) => (
  <Editable
    class="field"
    place={tabPlace(task, tab)}
    label="Title of the tab"
    value={tab.title}
    max={MAX_TITLE}
    onEnd={onEnd}
    save={(typed) => renameTab(task.id, tab, typed)}
  />
);

/** Whether a new title of the tab was typed and is not saved yet. */
export const isBeingRenamed = (task: TaskView, tab: TabView): boolean =>
  typedIn(tabPlace(task, tab)).peek() !== "";

const tabPlace = (task: TaskView, tab: TabView): string => `tab ${task.id} ${nameOf(tab)}`;
