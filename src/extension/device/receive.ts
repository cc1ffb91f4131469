import { createTask, remove } from "../../client/edits.ts";
import { NotPossible } from "../../client/state.ts";
import type { TaskView } from "../../client/views.ts";
import { count } from "../../ui/words/names.ts";
import { currentClient } from "../core/open.ts";
import { inTurn } from "../core/adopt.ts";
import { wakeToPush } from "../core/wake.ts";
import { lastJob, type ReopenReport } from "../reopen/job.ts";
import { reopenTabs } from "../reopen/reopen.ts";
import { isBlank } from "../../domain/base/text.ts";
import { takeOut } from "../reopen/take-out.ts";
import { arrivedIn, deviceName, LONGEST_NAME, tagOf, tasksOfDevice } from "./device.ts";

/** Lets other devices send tabs to this one under a name. Makes the task that they are sent to. */
export const receiveAs = (typed: string): Promise<void> =>
  inTurn(async () => {
    const name = typed.trim().replaceAll(/\s+/g, " ").toWellFormed();
    if (isBlank(name)) throw new NotPossible("Enter a name for this device.");
    const over = name.length - LONGEST_NAME;
    if (over > 0)
      throw new NotPossible(
        `This name is ${count(over, "character")} too long. It can have up to ${LONGEST_NAME}.`,
      );
    const client = await currentClient();
    await client.whole;
    if (!tasksOfDevice(client.state(), name).some(({ madeBy }) => madeBy.author === "person")) {
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
    const [task] = tasksOfDevice(client.state(), name);
    if (
      task === undefined ||
      task.madeBy.author === "agent" ||
      task.tabs.length + task.notes.length > 0
    )
      return;
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
    const last = await lastJob.read();
    const tasks = (name === null ? [] : tasksOfDevice(client.state(), name)).filter(
      (task) => arrivedIn(task).length > 0 || last?.key === jobKey(key, task),
    );
    if (tasks.length === 0) throw new NotPossible("Nothing was sent here.");
    let report: ReopenReport = { opened: 0, refused: [] };
    for (const task of tasks) {
      const names = arrivedIn(task).flatMap(({ id }) => id ?? []);
      const request = { taskId: task.id, names, where: "here" } as const;
      const { tabs, refused } = await reopenTabs(request, jobKey(key, task));
      const entries = tabs.flatMap(({ entry }) => entry ?? []);
      await takeOut(client, task.id, entries, key);
      report = { opened: report.opened + tabs.length, refused: [...report.refused, ...refused] };
    }
    return report;
  }, QUEUE);

/** Each task's tabs are opened by a job of their own. */
const jobKey = (key: string, { id }: TaskView): string => `${key} ${id}`;
