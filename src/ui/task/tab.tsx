import { useSignal } from "@preact/signals";
import type { ChildName } from "../../client/children.ts";
import type { GroupView, TabView, TaskView } from "../../client/views.ts";
import { copyTabs, dropTabs, nameOf, placeTabs } from "../acts/tabs.ts";
import { receiveDrop } from "../acts/receive.ts";
import { draggable, dropAt, dropTarget, inLowerHalf } from "../list/drag.ts";
import { Favicon } from "../parts/favicon.tsx";
import { Icon } from "../parts/marks.tsx";
import { Menu } from "../parts/menu.tsx";
import { show } from "../state/overlay.ts";
import { inColour } from "../words/names.ts";
import { momentWords } from "../words/dates.ts";
import { tabKey } from "./tab-keys.ts";
import { isBeingRenamed, RenameTab, TabLink } from "./tab-link.tsx";
import { tabMenu } from "./tab-menu.ts";

type TabRowProps = {
  readonly task: TaskView;
  readonly tab: TabView;
  readonly group: GroupView | null;
  readonly triage: boolean;
  readonly selected: boolean;
  /** What goes along when this row is dragged. */
  readonly dragging: () => readonly ChildName[];
  /** `range` also selects everything from the tab selected last. */
  readonly onToggle: (range: boolean) => void;
};

/** One tab: its title, host, who filed it, and what can be done with it. */
export const TabRow = (props: TabRowProps) => {
  const { task, tab, group, triage, selected, dragging, onToggle } = props;
  const renaming = useSignal(isBeingRenamed(task, tab));
  const name = nameOf(tab);
  const key = `${task.id} ${name}`;
  const drop = dropAt.value?.endsWith(key) ? ` drop-${dropAt.value.split(" ")[0]}` : "";
  return (
    <li
      {...inColour(
        group?.colour ?? null,
        `tab${selected ? " selected" : ""}${group ? " grouped" : ""}${drop}`,
      )}
      {...draggable(() => ({ kind: "tabs", from: task.id, names: dragging() }), tab.url)}
      {...dropOf(task, tab, key)}
      onKeyDown={(event) => {
        const run = tabKey(event, {
          move: () => show({ kind: "move-tabs", from: task.id, tabs: dragging() }),
          select: () => onToggle(false),
          remove: () => void dropTabs(task.id, dragging()),
          shift: (by) => {
            const to = task.tabs.indexOf(tab) + by;
            if (to < 0 || to >= task.tabs.length) return;
            void placeTabs(task, [name], to).then(() => requestAnimationFrame(() => focus(key)));
          },
          copy: () => {
            const names = dragging();
            void copyTabs(
              task.tabs.filter((one) => names.includes(nameOf(one))),
              "markdown",
            );
          },
        });
        if (!run) return;
        event.preventDefault();
        event.stopPropagation();
        run();
      }}
      data-tab={key}
    >
      <input
        type="checkbox"
        class="select"
        aria-label={`Select ${tab.title}`}
        checked={selected}
        onClick={(event) => onToggle(event.shiftKey)}
      />
      {tab.pinned ? <Icon name="pin" size={16} /> : <Favicon url={tab.url} />}
      {renaming.value ? (
        <RenameTab task={task} tab={tab} onEnd={() => (renaming.value = false)} />
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
        items={tabMenu(task, tab, () => (renaming.value = true))}
      />
    </li>
  );
};

/** Tabs are dropped above or below a tab. Links and text from elsewhere are added to the task. */
const dropOf = (task: TaskView, tab: TabView, key: string) =>
  dropTarget(
    (what, event) => {
      if (what.kind === "tabs") return `${inLowerHalf(event) ? "below" : "above"} ${key}`;
      return what.kind === "outside" ? `below ${key}` : null;
    },
    (what, event) => {
      if (what.kind === "outside") receiveDrop(what, task.id);
      if (what.kind !== "tabs") return;
      const at = task.tabs.indexOf(tab) + (inLowerHalf(event) ? 1 : 0);
      const index = what.from === task.id ? indexWithout(task, what.names, at) : at;
      void placeTabs(task, what.names, index, what.from);
    },
  );

/** Where a drop goes, counted without the tabs that are being moved. */
const indexWithout = (task: TaskView, names: readonly ChildName[], at: number): number =>
  task.tabs.slice(0, at).filter((tab) => !names.includes(nameOf(tab))).length;

/** A moved element loses the focus. */
const focus = (key: string): void =>
  document.querySelector<HTMLElement>(`[data-tab="${CSS.escape(key)}"] .title`)?.focus();
