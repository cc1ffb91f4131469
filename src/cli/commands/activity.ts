import { wayOf } from "../../domain/calls/activity.ts";
import { notFound } from "../../domain/base/refusal.ts";
import { UsageError } from "../../domain/base/usage.ts";
import { type ActivityRow, listActivity } from "../../db/calls/activity.ts";
import { listKeys } from "../../db/people/api-keys.ts";
import { type Command, type Run, withStore } from "../command.ts";
import { printList, time } from "../terminal.ts";

const DEFAULT_ROWS = 100;
const MOST_ROWS = 100_000;

export const activityCommand: Command = {
  name: "activity",
  usage: "[--key ID] [--limit N] [--json]",
  about: "list what API keys did, newest first",
  flags: { key: true, limit: true, json: false },
  words: [0, 0],
  run: async (run) => {
    const limit = limitOf(run);
    const key = run.flag("key") ?? null;
    const rows = await withStore(run, async (store) => {
      const found = await listActivity(store, key, limit);
      if (found.length > 0 || key === null) return found;
      // A mistyped id must not look like a key that did nothing.
      const keys = await listKeys(store, null);
      if (keys.every(({ id }) => id !== key)) throw notFound("API key");
      return found;
    });
    printList(run, rows.map(rowOf), "There is no API key activity yet.");
    return 0;
  },
};

/** How many rows to list: `--limit`, or 100. */
export const limitOf = (run: Run): number => {
  const text = run.flag("limit");
  const limit = text === undefined ? DEFAULT_ROWS : Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= MOST_ROWS) return limit;
  throw new UsageError(`--limit must be a whole number from 1 to ${MOST_ROWS}.`);
};

const rowOf = (row: ActivityRow) => ({
  at: time(row.at),
  key: row.keyName,
  key_id: row.keyId,
  via: wayOf(row),
  tool: row.tool,
  method: row.method,
  route: row.route,
  status: row.status,
  count: row.count,
  dry_run: row.dryRun === 1 ? "only asked" : null,
  touched: row.touched,
  client: row.client,
});
