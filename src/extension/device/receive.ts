import { createTask, remove } from "../../client/edits.ts";
import { NotPossible } from "../../client/state.ts";
import { currentClient } from "../core/open.ts";
import { inTurn } from "../core/turn.ts";
import { wakeToPush } from "../core/wake.ts";
import { lastJob } from "../reopen/job.ts";
import { reopenTabs } from "../reopen/reopen.ts";
import type { ReopenReport } from "../reopen/request.ts";
import { takeOut } from "../reopen/take-out.ts";
import { arrivedIn, deviceName, LONGEST_NAME, tagOf, taskOfDevice } from "./device.ts";

/** Lets other devices send tabs to this one under a name. Makes the task that they are sent to. */
export const receiveAs = (typed: string): Promise<void> =>
  inTurn(async () => {
    const name = typed.trim().replaceAll(/\s+/g, " ").toWellFormed().slice(0, LONGEST_NAME).trim();
    if (name === "") throw new NotPossible("Enter a name for this device.");
    const client = await currentClient();
    await client.whole;
    if (taskOfDevice(client.state(), name) === null) {
      await wakeToPush();
      await client.edit("Device added", [
        createTask({ id: client.newId(), title: `Sent to ${name}`, tags: [tagOf(name)] }),
      ]);
    }
    await deviceName.write(name);
  });

/** Takes no more tabs. The task goes if it is empty; otherwise it stays, with what was sent. */
export const receiveNoMore = (): Promise<void> =>
  inTurn(async () => {
    const name = await deviceName.read();
    await deviceName.forget();
    if (name === null) return;
    const client = await currentClient();
    await client.whole;
    const task = taskOfDevice(client.state(), name);
    if (task === null || task.tabs.length + task.notes.length > 0) return;
    await wakeToPush();
    await client.edit("Device removed", [remove("sync_tasks", task.id)]);
  });

const QUEUE = "docket arrived";

/**
 * Opens the tabs that were sent to this device, then takes them out of its task. Asked again with the same `key`, it opens
 * nothing twice, and what has come meanwhile stays. Rejects with `NotPossible` if there is nothing to open.
 */
export const openArrived = (key: string): Promise<ReopenReport> =>
  // Of two pages that ask at the same moment, the second finds what the first has left.
  inTurn(async () => {
    const client = await currentClient();
    await client.whole;
    const name = await deviceName.read();
    const task = name === null ? null : taskOfDevice(client.state(), name);
    const names = arrivedIn(task).flatMap(({ id }) => id ?? []);
    const isBegun = (await lastJob.read())?.key === key;
    if (task === null || (names.length === 0 && !isBegun))
      throw new NotPossible("Nothing was sent here.");
    const request = { taskId: task.id, names, where: "here" } as const;
    const { ids, entries, refused } = await reopenTabs(request, key);
    await wakeToPush();
    await client.edit("Sent tabs opened", [takeOut(task.id, entries)]);
    return { opened: ids.length, refused };
  }, QUEUE);
