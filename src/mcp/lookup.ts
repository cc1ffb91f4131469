import { entitlement } from "../domain/people/account.ts";
import { listFolders } from "../db/records/lists/folder-list.ts";
import { formatInstant, wholeSeconds } from "../domain/base/instant.ts";
import { type Restriction, showRestriction } from "../domain/people/api-key.ts";
import type { Limits, Quotas } from "../domain/calls/limiter.ts";
import { anyoneReading, Arguments, reading, type ToolResult } from "./tool.ts";
import { filling, fillingTexts, folderResult, ROOM } from "./results.ts";
import { Type } from "@sinclair/typebox";

export const listFoldersTool = reading(
  {
    name: "list_folders",
    title: "List folders",
    description:
      "Lists the folders that group tasks, oldest first, each with its number of open tasks.",
    input: Arguments({
      from: Type.Optional(
        Type.Integer({
          minimum: 0,
          description: "next of the previous answer, to continue from there",
        }),
      ),
    }),
    restriction: ({ kind }) => kind !== "inbox",
  },
  async ({ store, caller, args: { from = 0 } }) => {
    const rows = await listFolders(store, caller.account.id, caller.restriction);
    const folders = fillingTexts(rows.slice(from), folderResult, ROOM);
    const end = from + folders.length;
    return { folders, next: end < rows.length ? end : null };
  },
);

export const whoAmI = anyoneReading(
  {
    name: "who_am_i",
    title: "Who am I",
    description:
      "Shows whose account this key belongs to, what the key may do, and what is left of its rate limits.",
    input: Arguments({}),
  },
  async ({ service, call, caller, now }) => ({
    account: caller.account.email,
    plan: entitlement(caller.account, now).plan,
    credential: caller.kind,
    name: caller.name,
    scopes: caller.scopes,
    restriction: restrictionOf(caller.restriction),
    expires_at: caller.expiresAt === null ? null : formatInstant(caller.expiresAt),
    limits: call.quotas && limitsOf(service.limiter.limits, call.quotas),
  }),
);

/** As `GET /me` shows it, shortened to fit. list_folders lists all of the folders. */
const restrictionOf = (restriction: Restriction | null): ToolResult | null => {
  const shown = showRestriction(restriction);
  return shown && { ...shown, folders: filling(shown.folders, (id) => id, ROOM / 2) };
};

/** What an API key has left in a minute and in an hour, and in how many seconds there will be more. */
const limitsOf = (limits: Limits, { minute, hour }: Quotas): ToolResult => ({
  minute: {
    limit: limits.perMinute,
    left: minute.remaining,
    more_in_s: wholeSeconds(minute.nextIn),
  },
  hour: { limit: limits.perHour, left: hour.remaining, more_in_s: wholeSeconds(hour.nextIn) },
});
