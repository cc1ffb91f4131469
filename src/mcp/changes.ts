import { Type } from "@sinclair/typebox";
import { type ChangedRecord, readChanges } from "../db/records/changes.ts";
import { formatInstant } from "../domain/base/instant.ts";
import { Time } from "../server/tasks/fields.ts";
import { parseSince } from "../server/tasks/filter.ts";
import { filling, ROOM, taskResult } from "./results.ts";
import { Arguments, reading, type ToolResult } from "./tool.ts";

/** Changes per answer, about. */
const AT_ONCE = 50;

export const findChanges = reading(
  {
    name: "find_changes",
    title: "Find changes",
    description:
      "Returns tasks and folders changed after since, each once, as it is now. gone is deleted or out of reach. " +
      "Without since, returns only server_time, to begin with. If has_more, call again.",
    input: Arguments({
      since: Type.Optional({ ...Time, description: "server_time of the last answer" }),
    }),
  },
  async ({ store, caller, args, now }) => {
    const { account, restriction } = caller;
    const since = parseSince(args.since);
    const asked = { accountId: account.id, restriction, since, limit: AT_ONCE };
    const { changes, until, hasMore } = await readChanges(store, asked, now);
    return { ...shownIn(changes), server_time: formatInstant(until), has_more: hasMore };
  },
);

/** Shows the ids alone of changes that do not fit. They cannot wait for the next answer: what was saved together is not split. */
const shownIn = (changes: readonly ChangedRecord[]): ToolResult => {
  const all = filling(changes, shownChange, ROOM);
  if (all.length === changes.length) return { changes: all };
  const some = filling(changes, shownChange, ROOM / 4);
  return { changes: some, more_ids: changes.slice(some.length).map(({ id }) => id) };
};

const shownChange = ({
  type,
  id,
  state,
  isNew,
  by,
  byKey,
  at,
  row,
}: ChangedRecord): ToolResult => ({
  type,
  id,
  state,
  ...(isNew ? { new: true } : {}),
  ...(by === null ? {} : { by }),
  ...(byKey === null ? {} : { by_key: byKey }),
  at: formatInstant(at),
  ...(row === null ? {} : { task: taskResult(row) }),
});
