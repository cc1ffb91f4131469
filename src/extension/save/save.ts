import type { Client } from "../../client/client.ts";
import { createTask } from "../../client/edits.ts";
import { onTop } from "../../client/lists.ts";
import { NotPossible } from "../../client/state.ts";
import { count } from "../../ui/words/names.ts";
import { currentClient } from "../core/open.ts";
import { inTurn } from "../core/adopt.ts";
import { wakeToPush } from "../core/wake.ts";
import { senderName } from "../device/device.ts";
import { closeNoted, noteClosing } from "./close.ts";
import { type Added, addCandidates } from "./edit.ts";
import { keepIcons } from "./icons.ts";
import { type LastSave, lastSave, lastTask } from "./last.ts";
import { type Target, targetOf } from "./place.ts";
import type { SaveReport, SaveRequest } from "./request.ts";
import { type Candidate, type Gathered, gather } from "./tabs.ts";

/**
 * Saves tabs or a link into a task. Resolves when they are in this browser's store; the server hears of them later.
 * Rejects with `NotPossible` if there is nothing that can be saved, or the task is gone or full, and with `StorageFull`
 * if the browser has no room. Nothing is closed then.
 * The worker may be stopped at any moment. Asked again with the same `key`, a UUID, it goes on where it was.
 */
export const save = (request: SaveRequest, key: string): Promise<SaveReport> =>
  inTurn(async () => {
    const done = await lastSave.read();
    if (done?.key === key) return finished({ ...done, canUndo: true });
    const gathered = await gather(request.saved);
    if (gathered.candidates.length === 0) throw new NotPossible(whyNothing(gathered));
    const client = await currentClient();
    const target = await targetOf(client, request.place, gathered, key);
    // First, so that the server hears of it even if this worker is stopped just after the store has it.
    await wakeToPush();
    // Undo must not take an earlier save back if this one cannot be noted. On a full disk, nothing is saved.
    await lastSave.forget();
    const added = await store(client, target, gathered, key);
    void keepIcons(client, gathered.candidates);
    // The tabs are safe by now, also if there is no room for notes.
    await lastTask.write(target.id).catch(() => {});
    const closing = gathered.candidates.filter(({ pinned }) => request.close && !pinned);
    const isNoted = await noteClosing(closing.flatMap(({ open }) => open ?? [])).then(
      () => true,
      () => false,
    );
    const closed = isNoted ? closing.flatMap(closedTab) : [];
    const groups = gathered.groups.filter(({ id }) => closed.some(({ group }) => group === id));
    const label = labelOf(added, target) + (isNoted ? "" : STAY_OPEN);
    const { tabIds, groupIds } = added;
    const { refused, ownPages } = gathered;
    const saved = { key, at: Date.now(), label, refused, ownPages, tabIds, groupIds };
    const into = { accountId: client.account.id, taskId: target.id, isNew: target.isNew };
    // From here on, asking again does nothing but close what is left.
    const canUndo = await lastSave.write({ ...saved, ...into, closed, groups }).then(
      () => true,
      () => false,
    );
    return finished({ ...saved, ...into, canUndo });
  });

const STAY_OPEN = ". All stay open: your browser has no room left to note which to close";

const finished = async (report: SaveReport): Promise<SaveReport> => {
  await closeNoted();
  const { taskId, label, refused, ownPages, canUndo } = report;
  return { taskId, label, refused, ownPages, canUndo };
};

const whyNothing = ({ refused: [first, ...more], ownPages }: Gathered): string => {
  if (first === undefined)
    return ownPages === 0
      ? "There is no tab to save."
      : "Only pages of your Docket server are open here, and these are not saved with a window.";
  return more.length === 0
    ? first
    : `${first} The same is true of ${count(more.length, "more tab")}.`;
};

const store = async (
  client: Client,
  { id, title, isNew }: Target,
  { candidates, groups }: Gathered,
  key: string,
): Promise<Added> => {
  const { edit, added } = addCandidates(id, candidates, groups, key, await senderName());
  const isMissing = isNew && !client.state().tasks.has(id);
  await client.edit("Tabs saved", [
    ...(isMissing ? onTop(client.state(), [{ id, title }]).map(createTask) : []),
    edit,
  ]);
  return added();
};

const labelOf = ({ tabIds, known }: Added, { name }: Target): string => {
  if (tabIds.length === 0)
    return known === 1 ? `Already in “${name}”` : `All ${known} are already in “${name}”`;
  const saved = `${count(tabIds.length, "tab")} saved to “${name}”`;
  return known === 0 ? saved : `${saved}, ${count(known, "was", "were")} already there`;
};

const closedTab = ({ open, url, title, group }: Candidate): LastSave["closed"] =>
  open?.id === undefined ? [] : [{ id: open.id, url, title: title ?? "", group }];
