import { CHANGE, NOW, REVISED, SYNC_ROW } from "./examples.ts";
import type { Operations } from "./operation.ts";
import { PULL_QUERY, PUSH_QUERY } from "./queries.ts";

const V1 = "/api/public/v1";

/** How a device syncs. */
export const SYNC: Operations = {
  [`GET ${V1}/sync`]: {
    id: "pull",
    tag: "Sync",
    summary: "Pull changes",
    description:
      "The reply is streamed, and compressed if the client accepts gzip or zstd. Pulling twice is harmless. A reply that is cut off is never valid JSON.",
    query: PULL_QUERY,
    reply: {
      description: "The account's records that have changed since then, including tombstones.",
      shape: "Pull",
      example: {
        server_time: NOW,
        epoch: "0199a3be-5c5c-7000-8000-000000000002",
        has_more: false,
        changes: { sync_tasks: [SYNC_ROW], sync_projects: [], sync_buckets: [] },
      },
    },
  },
  [`POST ${V1}/sync`]: {
    id: "push",
    tag: "Sync",
    summary: "Push a device's changes",
    description:
      "Send up to 500 records. Each one is judged on its own: an invalid record is listed in `invalid`, and the others are still applied. Sending a push again changes nothing, so this call ignores `Idempotency-Key`. `dry_run` is refused with 422.",
    query: PUSH_QUERY,
    body: { example: [CHANGE] },
    reply: {
      description: "How many records were applied, and which ones are not stored as you sent them.",
      shape: "Pushed",
      example: { applied: 1, revs: [REVISED], rejected: [], merged: [], invalid: [] },
    },
  },
};
