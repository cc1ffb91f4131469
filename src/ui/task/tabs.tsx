import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { ChildName } from "../../client/children.ts";
import type { TabView, TaskView } from "../../client/views.ts";
import { handOver } from "../acts/act.ts";
import {
  addGroup,
  addLinks,
  copyTabs,
  dropTabs,
  nameOf,
  openAll,
  openAsNewTask,
} from "../acts/tabs.ts";
import { Icon } from "../parts/marks.tsx";
import { show } from "../state/overlay.ts";
import { typedIn } from "../state/typed.ts";
import { count } from "../words/names.ts";
import { GroupHead, runsOf } from "./group.tsx";
import { TabRow } from "./tab.tsx";

type TabsProps = {
  readonly task: TaskView;
  /** In the inbox: what to do with each tab is one press away. */
  readonly triage?: boolean;
};

/** The task's tabs, one on each line: opened, moved, copied and removed, one or several at once. */
export const Tabs = ({ task, triage = false }: TabsProps) => {
  const names = useSignal<ReadonlySet<ChildName>>(new Set());
  const { tabs } = task;
  const selected = tabs.filter((tab) => names.value.has(nameOf(tab)));
  const clear = (): void => {
    names.value = new Set();
  };
  const last = useRef<ChildName | null>(null);
  const toggle = (tab: TabView, range: boolean): void => {
    const next = new Set(names.value);
    const name = nameOf(tab);
    const from = tabs.findIndex((one) => nameOf(one) === last.current);
    if (range && from !== -1)
      for (const one of between(tabs, from, tabs.indexOf(tab))) next.add(one);
    else if (!next.delete(name)) next.add(name);
    last.current = name;
    names.value = next;
  };
  return (
    <section class="tabs" aria-label="Tabs">
      <header>
        <h2>Tabs {tabs.length > 0 && <span class="number">{tabs.length}</span>}</h2>
        <span class="spring" />
        {selected.length > 0 ? (
          <Selection task={task} selected={selected} onEnd={clear} />
        ) : (
          tabs.length > 1 && (
            <button type="button" class="link" onClick={() => openAll(task.id, tabs, true)}>
              <Icon name="external-link" size={14} /> Open all
            </button>
          )
        )}
      </header>
      <ol>
        {runsOf(task).map(({ group, tabs: run }, index) => [
          group && (
            <GroupHead key={`group ${group.id} ${index}`} task={task} group={group} tabs={run} />
          ),
          ...run.map((tab) => (
            <TabRow
              key={nameOf(tab)}
              task={task}
              tab={tab}
              group={group}
              triage={triage}
              selected={names.value.has(nameOf(tab))}
              dragging={() => (selected.includes(tab) ? selected.map(nameOf) : [nameOf(tab)])}
              onToggle={(range) => toggle(tab, range)}
            />
          )),
        ])}
      </ol>
      {(task.deletedAt === null || typedIn(`tabs ${task.id}`).value !== "") && (
        <AddTab task={task} />
      )}
    </section>
  );
};

const between = (tabs: readonly TabView[], a: number, b: number): readonly ChildName[] =>
  tabs.slice(Math.min(a, b), Math.max(a, b) + 1).map(nameOf);

type SelectionProps = {
  readonly task: TaskView;
  readonly selected: readonly TabView[];
  readonly onEnd: () => void;
};

/** What can be done with the selected tabs. */
const Selection = ({ task, selected, onEnd }: SelectionProps) => {
  const names = selected.map(nameOf);
  const then = (run: () => void) => () => {
    run();
    onEnd();
  };
  return (
    <span class="selection" role="toolbar" aria-label={`${count(selected.length, "tab")} selected`}>
      <b>{selected.length} selected</b>
      <button type="button" class="link" onClick={then(() => openAll(task.id, selected))}>
        Open
      </button>
      <button
        type="button"
        class="link"
        onClick={then(() => show({ kind: "move-tabs", from: task.id, tabs: names }))}
      >
        Move
      </button>
      <button type="button" class="link" onClick={then(() => void openAsNewTask(task.id, names))}>
        New task
      </button>
      <button type="button" class="link" onClick={then(() => void addGroup(task.id, names))}>
        Group
      </button>
      <button type="button" class="link" onClick={then(() => void copyTabs(selected, "markdown"))}>
        Copy
      </button>
      <button type="button" class="link danger" onClick={then(() => void dropTabs(task.id, names))}>
        Remove
      </button>
    </span>
  );
};

const AddTab = ({ task }: { readonly task: TaskView }) => {
  const typed = typedIn(`tabs ${task.id}`);
  const add = (text: string): Promise<boolean> => addLinks(task.id, text);
  return (
    <form
      class="add-line"
      onSubmit={(event) => {
        event.preventDefault();
        if (typed.value.trim() !== "") void handOver(typed, add);
      }}
    >
      <Icon name="plus" size={14} />
      <input
        aria-label="Add tabs"
        placeholder="Paste links to add tabs"
        autocomplete="off"
        inputMode="url"
        value={typed.value}
        onInput={(event) => (typed.value = event.currentTarget.value)}
        onPaste={async (event) => {
          const text = event.clipboardData?.getData("text/plain") ?? "";
          if (!/https?:\/\//i.test(text)) return;
          event.preventDefault();
          if (!(await add(text))) typed.value = `${typed.value} ${text}`.trim();
        }}
      />
    </form>
  );
};
