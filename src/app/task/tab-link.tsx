import { isWebAddress, type TabView, type TaskView } from "../../client/views.ts";
import { renameTab } from "../acts/tabs.ts";
import { keyOf } from "../keys/meaning.ts";
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
  <input
    class="field"
    aria-label="Title of the tab"
    maxLength={500}
    defaultValue={tab.title}
    ref={(input) => input?.focus()}
    onBlur={async (event) => {
      const { value } = event.currentTarget;
      if (value === tab.title || (await renameTab(task.id, tab, value.trim()))) onEnd();
    }}
    onKeyDown={(event) => {
      event.stopPropagation();
      if (keyOf(event) === "Escape") event.currentTarget.value = tab.title;
      if (keyOf(event) === "Escape" || keyOf(event) === "Enter") event.currentTarget.blur();
    }}
  />
);
