import { CLAIM, NOTE, NOW, TAB, TASK, TASK_ROW } from "./examples.ts";
import type { Operations } from "./operation.ts";
import { CHANGES_QUERY } from "./queries.ts";

const V1 = "/api/public/v1";

/** What programs need to work beside a person and beside each other. */
export const AGENTS: Operations = {
  [`GET ${V1}/changes`]: {
    id: "getChanges",
    tag: "Agents",
    summary: "See what changed",
    description:
      "Each task and folder that changed after `since`, once and as it is now, the oldest change first. `gone` is deleted, in the trash, or no longer within the key's reach: then there is nothing but the id. A change by yourself is listed too.",
    query: CHANGES_QUERY,
    reply: {
      description: "What changed.",
      shape: "Changes",
      example: {
        changes: [
          {
            type: "task",
            id: TASK.id,
            state: "open",
            new: false,
            by: "person",
            by_key: null,
            at: NOW,
            task: TASK_ROW,
          },
        ],
        server_time: NOW,
        has_more: false,
      },
    },
  },
  [`GET ${V1}/claims`]: {
    id: "listClaims",
    tag: "Agents",
    summary: "See which keys work on which tasks",
    reply: { description: "The claims.", shape: "ClaimList", example: { claims: [CLAIM] } },
  },
  [`POST ${V1}/claims`]: {
    id: "claimTask",
    tag: "Agents",
    summary: "Take a task to work on",
    description:
      "Names a `task`, or takes the first free one of a list, by `filter`. For `for` (2h, if you leave it out) other keys get 409 if they write to it or claim it, and so does this key if it claims it again. A write by this key makes the claim last as long again. Closing, trashing or deleting the task ends it, and so can the person. People and devices never wait for a claim. A key may hold 20.",
    body: { example: { filter: { status: "todo" }, for: "30m" } },
    reply: {
      description: "The claim, and the task with its tabs and notes.",
      shape: "Claimed",
      withoutRead: "ClaimedReceipt",
      nothing: "With a claim and a task of null: no task of the list is free.",
      example: { claim: CLAIM, task: { ...TASK, tabs: [TAB], notes: [NOTE] } },
    },
    refusals: [404],
  },
  [`POST ${V1}/claims/:id/renew`]: {
    id: "renewClaim",
    tag: "Agents",
    summary: "Work on a task for longer",
    description: "The id is that of the claim, or of the task.",
    body: { example: { for: "30m" } },
    reply: {
      description: "The claim as it is now.",
      shape: "RenewedClaim",
      example: { claim: CLAIM },
    },
  },
  [`POST ${V1}/claims/:id/release`]: {
    id: "releaseClaim",
    tag: "Agents",
    summary: "Let others work on a task",
    description:
      "The id is that of the claim, or of the task. A session can end the claim of any key. A claim that is over stays so.",
    body: { example: {} },
    reply: {
      description: "The claim that was ended, or null if it was over already.",
      shape: "ReleasedClaim",
      example: { released: CLAIM },
    },
  },
};
