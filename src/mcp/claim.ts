import { Type } from "@sinclair/typebox";
import { type Claimed, claimTask, releaseClaim } from "../db/records/claim.ts";
import { mayRead } from "../domain/people/account.ts";
import { type Claim, parseLength, shownClaim } from "../domain/tasks/claim.ts";
import { checkAccess, READ } from "../server/checks/admission.ts";
import { filterFor } from "../server/tasks/filter.ts";
import { taskResult } from "./results.ts";
import { ADDS, Arguments, ENDS, Filters, TaskId, writing } from "./tool.ts";

export const claimTaskTool = writing(
  {
    name: "claim_task",
    title: "Claim a task",
    description:
      "Takes a task to work on, so that other agents leave it alone: task_id, or the first free one by the other " +
      "arguments. Your writes renew it; closing the task ends it. task is null if none is free.",
    input: Arguments({
      task_id: Type.Optional(TaskId),
      status: Type.Optional(Type.String({ maxLength: 64 })),
      folder: Type.Optional(Type.String({ minLength: 1, maxLength: 1_000 })),
      tag: Filters.tag,
      for: Type.Optional(
        Type.String({ maxLength: 10, description: "from 1m to 24h; 2h if you leave it out" }),
      ),
    }),
    restriction: ({ kind }) => kind !== "inbox",
  },
  ADDS,
  async ({ store, caller, args, now }) => {
    const { task_id: task, for: length, ...filter } = args;
    // A key that cannot read must not ask in this way which tasks there are.
    if (task === undefined) checkAccess(caller, READ, now);
    const of = task ?? (await filterFor(store, caller, filter, now));
    const wish = { of, length: parseLength(length) };
    return (tx) => claimTask(tx, wish, caller);
  },
  (claimed: Claimed | null, { caller }) => {
    if (claimed === null) return { task: null };
    const { id, task, claim } = claimed;
    const { until } = shownClaim(claim);
    return { task: mayRead(caller) ? taskResult(task.row) : { id }, until };
  },
);

export const releaseTask = writing(
  {
    name: "release_task",
    title: "Release a task",
    description: "Ends your claim on a task.",
    input: Arguments({ task_id: TaskId }),
    restriction: ({ kind }) => kind !== "inbox",
  },
  ENDS,
  ({ caller, args }) =>
    (tx) =>
      releaseClaim(tx, args.task_id, caller),
  (claim: Claim | null) => ({ released: claim !== null }),
);
