import { openTask, stays } from "../state/route.ts";
import { addTabs, createTask, moveTabs, removeTabs, setTab } from "../../client/edits.ts";
import type { ChildName } from "../../client/children.ts";
import { type Typed, typeGroupName, typeTabTitle } from "../../client/typed.ts";
import { onTop } from "../../client/lists.ts";
import { isWebAddress, type TabView, taskName, type TaskView } from "../../client/views.ts";
import { INBOX_TITLE } from "../../domain/tasks/task.ts";
import { client, records, tasks } from "../state/client.ts";
import { say } from "../state/notice.ts";
import { inboxFor, inboxTask } from "../state/open.ts";
import { show } from "../state/overlay.ts";
import { shell } from "../state/screen.ts";
import { COLOURS, count } from "../words/names.ts";
import { linksIn } from "../words/drafts.ts";
import { act } from "./act.ts";
import { copy } from "./copy.ts";
import { actTyped } from "./tasks.ts";
import { type GroupFields, groupTabs, setGroup, ungroup } from "../../client/groups.ts";

export const nameOf = ({
  id,
  at,
}: {
  readonly id: string | null;
  readonly at: number;
}): ChildName => id ?? at;

/** Adds every link in a text. Says so if there is none. */
export const addLinks = async (taskId: string, text: string): Promise<boolean> => {
  const typed = text.trim();
  const bare = /^[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)+(:\d+)?([/?#]\S*)?$/u.test(typed)
    ? `https://${typed}`
    : typed;
  const links = linksIn(bare);
  if (links.length === 0) {
    say({ text: "There is no web address in this text.", kind: "problem" });
    return false;
  }
  return actTyped(taskId, `${count(links.length, "tab")} added`, addTabs(taskId, links));
};

/** Changes a title as somebody types it. */
export const renameTab = (task: string, tab: TabView, typed: Typed): Promise<boolean> =>
  actTyped(task, "Tab renamed", typeTabTitle(task, nameOf(tab), typed));

export const dropTabs = (task: string, names: readonly ChildName[]): Promise<boolean> =>
  act(`${count(names.length, "tab")} removed`, [removeTabs(task, names)], { notice: true });

/** Moves tabs to the end of another task. */
export const shiftTabs = (
  from: string,
  names: readonly ChildName[],
  to: string,
): Promise<boolean> =>
  act(movedTo(to, names.length), [moveTabs(from, names, to)], { notice: true });

/** Moves tabs to the end of the inbox; to a new one if the others have no room for them. */
export const shiftToInbox = async (from: string, names: readonly ChildName[]): Promise<void> => {
  await client().whole;
  const moved = tasks.value.get(from)?.tabs.filter((tab) => names.includes(nameOf(tab))) ?? [];
  const to = from === inboxTask.value?.id ? from : inboxFor(moved)?.id;
  await (to === undefined ? tabsToNewTask(from, names, INBOX_TITLE) : shiftTabs(from, names, to));
};

/**
 * Moves tabs to an index of a task, which counts what is left once the moved ones are taken out. Between two tabs of a
 * group they join that group. Moved away from the rest of their group, they leave it; to another task they take it along.
 */
export const placeTabs = (
  task: TaskView,
  names: readonly ChildName[],
  at: number,
  from = task.id,
): Promise<boolean> => {
  const moved = names.map((name) =>
    tasks.value.get(from)?.tabs.find((tab) => nameOf(tab) === name),
  );
  const rest = from === task.id ? task.tabs.filter((tab) => !moved.includes(tab)) : task.tabs;
  const [above, below] = [rest[at - 1]?.group ?? null, rest[at]?.group ?? null];
  const groupOf = (group: string | null): string | null => {
    if (above !== null && above === below) return above;
    const isApart = from === task.id && rest.some((tab) => tab.group === group);
    return isApart && group !== above && group !== below ? null : group;
  };
  const edits = moved.flatMap((tab, index) => {
    const group = groupOf(tab?.group ?? null);
    // A tab without an id is named by its place, which is a new one now.
    const name = tab?.id ?? Math.min(at, rest.length) + index;
    return group === (tab?.group ?? null) ? [] : [setTab(task.id, name, { group })];
  });
  return act(
    from === task.id ? "Order changed" : movedTo(task.id, names.length),
    [moveTabs(from, names, task.id, at), ...edits],
    { notice: from !== task.id },
  );
};

const movedTo = (to: string, tabs: number): string => {
  const task = tasks.value.get(to);
  return `${count(tabs, "tab")} moved to “${task ? taskName(task) : "another task"}”`;
};

/** Takes a tab out of its group, and puts it below the group. */
export const leaveGroup = (task: string, tab: TabView): Promise<boolean> => {
  const { tabs = [] } = tasks.value.get(task) ?? {};
  const last = tabs.findLastIndex(({ group }) => group === tab.group);
  const name = nameOf(tab);
  return act("Tab taken out of its group", [
    setTab(task, name, { group: null }),
    moveTabs(task, [name], task, last),
  ]);
};

/** Makes a task of some tabs of another one, named after the first. */
export const tabsToNewTask = async (
  from: string,
  names: readonly ChildName[],
  title?: string,
): Promise<string | null> => {
  const first = tasks.value.get(from)?.tabs.find((tab) => names.includes(nameOf(tab)));
  const id = client().newId();
  const task = { id, title: title || first?.title || "New task" };
  const label = `${count(names.length, "tab")} moved to a new task`;
  const made = await act(
    label,
    [...onTop(records.value, [task]).map(createTask), moveTabs(from, names, id)],
    { notice: true },
  );
  return made ? id : null;
};

/** Makes a task of tabs of another one, and opens it. */
export const openAsNewTask = async (from: string, names: readonly ChildName[]): Promise<void> => {
  const isHere = stays();
  const id = await tabsToNewTask(from, names);
  if (id !== null && isHere()) openTask(id);
};

const MANY = 10;

/**
 * Opens tabs of a task in the browser; with `asGroup`, as a group of the task where the page can do that. A page that can
 * only open addresses asks first if they are many.
 */
export const openAll = (taskId: string, tabs: readonly TabView[], asGroup = false): void => {
  if (shell.openTabs) return shell.openTabs(taskId, tabs.map(nameOf), asGroup);
  const urls = tabs.map(({ url }) => url).filter(isWebAddress);
  if (urls.length > MANY) show({ kind: "open-many", urls });
  else openUrls(urls);
};

/** Opens web addresses in new tabs of the browser. */
export const openUrls = (urls: readonly string[]): void => {
  const opened = urls.filter((url) => openApart(url)).length;
  if (opened < urls.length)
    say({
      text: `Opened ${opened} of ${count(urls.length, "tab")}. Your browser blocked the others: allow pop-ups for this page, then try again.`,
      kind: "problem",
    });
};

/** `noopener` would hide whether the browser opened it, so the way back is cut by hand. */
const openApart = (url: string): boolean => {
  const opened = open(url, "_blank");
  if (opened) opened.opener = null;
  return opened !== null;
};

export const copyTabs = async (
  tabs: readonly TabView[],
  form: "links" | "markdown",
): Promise<void> => copy(tabs, form);

/** Puts tabs of a task into a new group, in a colour that the task does not use yet. Returns its id. */
export const addGroup = async (
  task: string,
  names: readonly ChildName[],
): Promise<string | null> => {
  const used = tasks.value.get(task)?.groups.map(({ colour }) => colour) ?? [];
  const colour = COLOURS.find((one) => !used.includes(one)) ?? "grey";
  const id = client().newId();
  const group = { id, title: "", colour };
  return (await act("Group added", [groupTabs(task, names, group)], { notice: true })) ? id : null;
};

/** Changes a name as somebody types it. */
export const renameGroup = (task: string, group: string, typed: Typed): Promise<boolean> =>
  actTyped(task, "Group changed", typeGroupName(task, group, typed));

export const changeGroup = (task: string, group: string, fields: GroupFields): Promise<boolean> =>
  actTyped(task, "Group changed", setGroup(task, group, fields));

/** The tabs stay. */
export const dropGroup = (task: string, group: string): Promise<boolean> =>
  act("Tabs ungrouped", [ungroup(task, group)], { notice: true });
