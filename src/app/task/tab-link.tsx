import { useRef } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { titleOver } from "../../client/typed.ts";
import { isWebAddress, type TabView, type TaskView } from "../../client/views.ts";
import { MAX_TITLE } from "../../domain/tasks/task.ts";
import { sayLost } from "../acts/act.ts";
import { nameOf, renameTab } from "../acts/tabs.ts";
import { keyOf } from "../keys/meaning.ts";
import { TooLong } from "../parts/field-note.tsx";
import { focusOn } from "../parts/one-line.tsx";
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

/** The tab's title, while it is changed. Until somebody types, it shows what others change. */
export const RenameTab = ({ task, tab, onEnd }: RenameProps) => {
  const kept = typedIn(`tab ${task.id} ${nameOf(tab)}`);
  const typed = useSignal(kept.peek() || null);
  const was = useRef(tab.title);
  const text = typed.value ?? tab.title;
  const save = async (): Promise<void> => {
    if (typed.value === null) return end();
    const onLost = (theirs: string): void =>
      sayLost(theirs, () => void renameTab(task.id, tab, theirs));
    const title = titleOver({ was: was.current, now: typed.value.trim(), onLost }, tab.title);
    if (await renameTab(task.id, tab, title)) end();
  };
  const end = (): void => {
    kept.value = "";
    onEnd();
  };
  return (
    <span class="field-place">
      <input
        class="field"
        aria-label="Title of the tab"
        value={text}
        ref={focusOn}
        onInput={(event) => {
          if (typed.value === null) was.current = tab.title;
          kept.value = typed.value = event.currentTarget.value;
        }}
        onBlur={() => void save()}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (keyOf(event) === "Escape") typed.value = null;
          if (keyOf(event) === "Escape" || keyOf(event) === "Enter") event.currentTarget.blur();
        }}
      />
      <TooLong by={text.length - MAX_TITLE} />
    </span>
  );
};
