import { setTab } from "../../client/edits.ts";
import type { Client } from "../../client/client.ts";
import { isInTrash } from "../../client/lists.ts";
import { NotPossible } from "../../client/state.ts";
import type { TaskView } from "../../client/views.ts";
import { browser, type Tab } from "../browser/api.ts";
import { connection } from "../connect/connection.ts";
import { currentClient } from "../core/open.ts";
import { syncNow } from "../core/sync.ts";
import { inTurn } from "../core/adopt.ts";
import { wakeToPush } from "../core/wake.ts";
import { asleep, sleepOnceThere } from "../reopen/sleep.ts";
import { addCandidates } from "../save/edit.ts";
import { savableTitle, savableUrl } from "../save/savable.ts";
import { gather, titleOf } from "../save/tabs.ts";
import { withoutTracking } from "../../domain/tasks/address.ts";
import { flash } from "../saved/badge.ts";
import { type Bound, boundWindows, type Followed } from "./bound.ts";
import { stepGroups } from "./groups.ts";
import { stepPins } from "./pins.ts";
import { type Plan, planStep } from "./plan.ts";

/**
 * Brings the windows of tasks and their tasks in step. It looks at what is there, not at what has happened, so it may be
 * stopped at any moment and run again.
 */
export const stepWindows = async (): Promise<void> => {
  if ((await boundWindows.read()).length === 0) return;
  const client = await currentClient();
  await client.whole;
  let hasEdited = false;
  await inTurn(async () => {
    const bound = await boundWindows.read();
    const next: Bound[] = [];
    for (const one of bound) {
      const stepped = await stepWindow(client, one).catch((error) => notStepped(one, error));
      if (stepped) next.push(stepped.bound);
      hasEdited ||= stepped?.hasEdited === true;
    }
    if (JSON.stringify(next) !== JSON.stringify(bound)) await boundWindows.write(next);
  });
  if (hasEdited) void syncNow();
};

type Stepped = { readonly bound: Bound; readonly hasEdited: boolean };

/** Null if the window was closed, or the task is gone. */
const stepWindow = async (client: Client, bound: Bound): Promise<Stepped | null> => {
  const { windowId, taskId } = bound;
  const tabs = await browser.tabs.query({ windowId }).catch(() => []);
  const task = client.state().tasks.get(taskId);
  if (tabs.length === 0 || !task || isInTrash(client.state(), task)) return null;
  const server = (await connection.read())?.server ?? null;
  const plan = planStep(bound, tabs, task.tabs, server);
  const hasEdited = plan.add.length + plan.change.length > 0;
  if (hasEdited) await edit(client, taskId, plan);
  const added = plan.add.flatMap((tab) => followedIn(client.state().tasks.get(taskId), tab));
  const opened = await openBeside(windowId, plan.open);
  const followed = [...plan.followed, ...added, ...opened];
  const pinned = await stepPins(client, { ...bound, followed, known: plan.known });
  const grouped = await stepGroups(client, pinned.bound);
  return {
    bound: grouped.bound,
    hasEdited: hasEdited || pinned.hasEdited || grouped.hasEdited,
  };
};

/** Says why the tabs of a window cannot be saved, for example because the task is full. The next step tries again. */
const notStepped = async (bound: Bound, error: unknown): Promise<Stepped> => {
  if (!(error instanceof NotPossible)) throw error;
  await flash("!", error.message);
  return { bound, hasEdited: false };
};

const edit = async (client: Client, taskId: string, { add, change }: Plan): Promise<void> => {
  const tabIds = add.flatMap(({ id }) => id ?? []);
  const { candidates } = await gather({ kind: "tabs", tabIds });
  // Their groups come after: the groups of the window are known by their numbers there, not by their names.
  const tabs = candidates.map((one) => ({ ...one, group: null }));
  await wakeToPush();
  await client.edit("Tabs of the window saved", [
    ...change.map(({ entry, tab: { url = "", title } }) =>
      setTab(taskId, entry, {
        url: savableUrl(url) ?? url,
        title: titleOf(savableTitle(title, url)),
      }),
    ),
    ...(candidates.length > 0 ? [addCandidates(taskId, tabs, [], crypto.randomUUID()).edit] : []),
  ]);
};

/** Finds the tab of the task that an open tab was just saved as. */
const followedIn = (task: TaskView | undefined, tab: Tab): readonly Followed[] => {
  const page = withoutTracking(savableUrl(tab.url ?? "") ?? "");
  const entry = task?.tabs.find(({ url }) => withoutTracking(url) === page)?.id;
  return entry == null || tab.id === undefined ? [] : [{ tabId: tab.id, entry, own: true, page }];
};

/** Opens what came to the task from elsewhere, behind the tab in front, and asleep. */
const openBeside = async (windowId: number, tabs: Plan["open"]): Promise<readonly Followed[]> => {
  const followed: Followed[] = [];
  for (const { id, url: saved, title, pinned } of tabs) {
    const url = savableUrl(saved) ?? saved;
    const asked = { url, pinned, active: false, windowId, ...asleep({ title, pinned }) };
    const made = await browser.tabs.create(asked);
    if (made.id !== undefined && id !== null)
      followed.push({ tabId: made.id, entry: id, own: false, page: null });
  }
  void sleepOnceThere(followed.map(({ tabId }) => tabId));
  return followed;
};
