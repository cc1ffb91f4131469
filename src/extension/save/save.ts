import type { Client } from "../../client/client.ts";
import { createTask } from "../../client/edits.ts";
import { NotPossible } from "../../client/state.ts";
import { count } from "../../app/words/count.ts";
import type { Tab } from "../browser/api.ts";
import { currentClient } from "../core/open.ts";
import { inTurn } from "../core/turn.ts";
import { wakeToPush } from "../core/wake.ts";
import { closeTabs } from "./close.ts";
import { type Added, addCandidates } from "./edit.ts";
import { lastSave, lastTask } from "./last.ts";
import { type Target, targetOf } from "./place.ts";
import type { SaveReport, SaveRequest } from "./request.ts";
import { type Gathered, gather } from "./tabs.ts";

/**
 * Saves tabs or a link into a task. Resolves when they are in this browser's store; the server hears of them later.
 * Rejects with `NotPossible` if there is nothing that can be saved, or the task is gone. Nothing is closed then.
 */
export const save = (request: SaveRequest): Promise<SaveReport> =>
  inTurn(async () => {
    const gathered = await gather(request.saved);
    if (gathered.candidates.length === 0)
      throw new NotPossible(gathered.refused[0] ?? "There is no tab to save.");
    const client = await currentClient();
    const target = await targetOf(client, request.place);
    // First, so that the server hears of it even if this worker is stopped just after the store has it.
    await wakeToPush();
    const added = await store(client, target, gathered);
    const label = labelOf(added, target);
    const note = { at: Date.now(), label, accountId: client.account.id, taskId: target.id };
    const undo = { ...note, ...added, isNew: target.isNew };
    await lastTask.write(target.id);
    await lastSave.write({ ...undo, closed: [] });
    if (request.close) {
      const closed = gathered.candidates.flatMap(({ open, pinned }) =>
        open && !pinned ? [open] : [],
      );
      await lastSave.write({ ...undo, closed: closed.map(closedTab) });
      await closeTabs(closed);
    }
    return { taskId: target.id, label, refused: gathered.refused };
  });

const store = async (
  client: Client,
  { id, title, isNew }: Target,
  { candidates, groups }: Gathered,
): Promise<Added> => {
  const { edit, added } = addCandidates(id, candidates, groups);
  await client.edit("Tabs saved", [...(isNew ? [createTask({ id, title })] : []), edit]);
  return added();
};

const labelOf = ({ tabIds, known }: Added, { name }: Target): string => {
  if (tabIds.length === 0)
    return known === 1 ? `Already in “${name}”` : `All ${known} are already in “${name}”`;
  const saved = `${count(tabIds.length, "tab")} saved to “${name}”`;
  return known === 0 ? saved : `${saved}, ${count(known, "was", "were")} already there`;
};

const closedTab = ({ url = "", title = "" }: Tab) => ({ url, title });
