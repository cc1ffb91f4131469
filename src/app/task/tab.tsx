import { useSignal } from "@preact/signals";
import type { ChildName } from "../../client/children.ts";
import { isWebAddress, type TabView, type TaskView } from "../../client/views.ts";
import { copyText } from "../acts/copy.ts";
import { dropTabs, nameOf, renameTab, shiftTabs, tabsToNewTask } from "../acts/tabs.ts";
import { draggable, dropAt, dropTarget, inLowerHalf } from "../list/drag.ts";
import { Icon } from "../parts/icon.tsx";
import { Menu, type MenuItem } from "../parts/menu.tsx";
import { show } from "../state/overlay.ts";
import { openTask } from "../state/route.ts";
import { singleKeys } from "../keys/setting.ts";
import { isTyping } from "../keys/typing.ts";
import { momentWords } from "../words/dates.ts";
import { hostOf } from "../words/links.ts";

type TabRowProps = {
  readonly task: TaskView;
  readonly tab: TabView;
  readonly index: number;
  readonly triage: boolean;
  readonly chosen: boolean;
  /** What goes along when this row is dragged. */
  readonly dragging: () => readonly ChildName[];
  readonly onToggle: () => void;
};

/** One tab: its title, host, who filed it, and what can be done with it. */
export const TabRow = (props: TabRowProps) => {
  const { task, tab, index, triage, chosen, dragging, onToggle } = props;
  const renaming = useSignal(false);
  const name = nameOf(tab);
  const key = `${task.id} ${name}`;
  const drop = dropAt.value?.endsWith(key) ? ` drop-${dropAt.value.split(" ")[0]}` : "";
  return (
    <li
      class={`tab${chosen ? " selected" : ""}${drop}`}
      {...draggable(() => ({ kind: "tabs", from: task.id, names: dragging() }), tab.url)}
      {...dropTarget(
        (what, event) =>
          what.kind === "tabs" ? `${inLowerHalf(event) ? "below" : "above"} ${key}` : null,
        (what, event) => {
          if (what.kind !== "tabs") return;
          const at = index + (inLowerHalf(event) ? 1 : 0);
          void shiftTabs(what.from, what.names, task.id, indexWithout(task, what.names, at));
        },
      )}
      onKeyDown={(event) => {
        const run = keyOf(event, {
          move: () => show({ kind: "move-tabs", from: task.id, tabs: dragging() }),
          choose: onToggle,
          remove: () => void dropTabs(task.id, dragging()),
          shift: (by) => {
            const to = index + by;
            if (to >= 0 && to < task.tabs.length) void shiftTabs(task.id, [name], task.id, to);
          },
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
        aria-label={`Choose ${tab.title}`}
        checked={chosen}
        onChange={onToggle}
      />
      <Icon name={tab.pinned ? "pin" : "globe"} size={14} />
      {renaming.value ? (
        <Rename task={task} tab={tab} onEnd={() => (renaming.value = false)} />
      ) : (
        <TabLink tab={tab} />
      )}
      <span class="facts">
        {tab.madeBy.author === "agent" && (
          <span class="fact by" title={tab.addedAt ? momentWords(tab.addedAt, true) : "Filed"}>
            <Icon name="bot" size={14} /> {tab.madeBy.key ?? "agent"}
          </span>
        )}
      </span>
      {triage && (
        <button
          type="button"
          class="button small"
          aria-label={`Move to… (${tab.title})`}
          onClick={() => show({ kind: "move-tabs", from: task.id, tabs: [name] })}
        >
          Move to…
        </button>
      )}
      <Menu
        label={`More for ${tab.title}`}
        class="right"
        button={<Icon name="ellipsis" />}
        items={itemsFor(task, tab, () => (renaming.value = true))}
      />
    </li>
  );
};

type TabActs = {
  readonly move: () => void;
  readonly choose: () => void;
  readonly remove: () => void;
  readonly shift: (by: -1 | 1) => void;
};

/** What a key does while the keyboard is at a tab: the same letters as for tasks. */
const keyOf = (event: KeyboardEvent, acts: TabActs): (() => void) | undefined => {
  const { key, altKey, ctrlKey, metaKey } = event;
  if (ctrlKey || metaKey || isTyping(event.target)) return undefined;
  if (altKey && key === "ArrowUp") return () => acts.shift(-1);
  if (altKey && key === "ArrowDown") return () => acts.shift(1);
  const row = event.currentTarget as HTMLElement;
  if (key === "ArrowUp" || (key === "k" && singleKeys.value))
    return () => focusTitle(row.previousElementSibling);
  if (key === "ArrowDown" || (key === "j" && singleKeys.value))
    return () => focusTitle(row.nextElementSibling);
  if (key === "Delete") return acts.remove;
  if (!singleKeys.value) return undefined;
  return { m: acts.move, x: acts.choose, "#": acts.remove }[key];
};

const focusTitle = (row: Element | null): void =>
  row?.querySelector<HTMLElement>(".title")?.focus();

/** A link only if it is a web address. Anything else is text, because it could run code. */
const TabLink = ({ tab: { url, title, madeBy } }: { readonly tab: TabView }) => (
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

const Rename = ({ task, tab, onEnd }: RenameProps) => (
  <input
    class="field"
    aria-label="Title of the tab"
    maxLength={500}
    defaultValue={tab.title}
    ref={(input) => input?.focus()}
    onBlur={(event) => {
      const { value } = event.currentTarget;
      if (value !== tab.title) void renameTab(task.id, tab, value.trim());
      onEnd();
    }}
    onKeyDown={(event) => {
      event.stopPropagation();
      if (event.key === "Escape") event.currentTarget.value = tab.title;
      if (event.key === "Escape" || event.key === "Enter") event.currentTarget.blur();
    }}
  />
);

const itemsFor = (
  { id, tabs }: TaskView,
  tab: TabView,
  rename: () => void,
): readonly MenuItem[] => {
  const name = nameOf(tab);
  const at = tabs.indexOf(tab);
  return [
    { name: "Rename", icon: "pencil", run: rename },
    {
      name: "Move to another task",
      icon: "arrow-right",
      run: () => show({ kind: "move-tabs", from: id, tabs: [name] }),
    },
    {
      name: "Make a task of it",
      icon: "plus",
      run: () => void tabsToNewTask(id, [name]).then((made) => made !== null && openTask(made)),
    },
    ...(at > 0
      ? ([
          {
            name: "Move up",
            icon: "arrow-up",
            key: "Alt ↑",
            run: () => void shiftTabs(id, [name], id, at - 1),
          },
        ] as const)
      : []),
    ...(at < tabs.length - 1
      ? ([
          {
            name: "Move down",
            icon: "arrow-down",
            key: "Alt ↓",
            run: () => void shiftTabs(id, [name], id, at + 1),
          },
        ] as const)
      : []),
    { name: "Copy address", icon: "copy", run: () => void copyText(tab.url) },
    { name: "Remove", icon: "x", danger: true, run: () => void dropTabs(id, [name]) },
  ];
};

/** Where a drop goes, counted without the tabs that are being moved. */
const indexWithout = (task: TaskView, names: readonly ChildName[], at: number): number =>
  task.tabs.slice(0, at).filter((tab) => !names.includes(nameOf(tab))).length;
