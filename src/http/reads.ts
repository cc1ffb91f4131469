import { entitlement, seesTrash } from "../domain/people/account.ts";
import { formatInstant, SECOND } from "../domain/base/instant.ts";
import { showRestriction } from "../domain/people/api-key.ts";
import { type ApiContext, callerOf, idOf, type Write } from "./route.ts";
import { json, jsonList, type Reply } from "../server/call.ts";
import { isReadable, isWritable } from "../db/health.ts";
import { invalid, Refusal } from "../domain/base/refusal.ts";
import { listFolders } from "../db/records/lists/folder-list.ts";
import { createFolder, type MadeFolder } from "../db/records/folders.ts";
import { type ChangesQuery, type FolderBody, MAX_WAIT, type TasksQuery } from "./schemas.ts";
import { readInboxView, readTaskView, withClaimOf } from "../db/records/lookup.ts";
import { DEFAULT_LIMIT, MAX_LIMIT } from "../server/tasks/fields.ts";
import { changesFor, shownChange } from "../server/changes.ts";
import { filterFor, parseLimit, parseSince, parseWait } from "../server/tasks/filter.ts";
import { type Included, listPage, listWhole, MOST_WHOLE } from "../server/tasks/listing.ts";
import { showTask } from "./edits.ts";

/** `GET /me`: who the credential belongs to, and what it may do. */
export const getMe = (context: ApiContext): Reply => {
  const { account, kind, scopes, restriction, review = false, expiresAt } = callerOf(context);
  const { plan } = entitlement(account, context.now);
  return json({
    id: account.uid,
    email: account.email,
    plan,
    credential: kind,
    scopes,
    restriction: showRestriction(restriction),
    review,
    expires_at: expiresAt === null ? null : formatInstant(expiresAt),
  });
};

/** `GET /entitlement`: whether the account is Pro, and when to ask again. */
export const getEntitlement = (context: ApiContext): Reply =>
  json(entitlement(callerOf(context).account, context.now));

/** `GET /healthz`: 200 as long as the process runs. */
export const getHealth = (): Reply => json({ status: "ok" });

/** `GET /readyz`: 200 if the database can be read and written, otherwise 503. */
export const getReadiness = async ({ store }: ApiContext): Promise<Reply> => {
  if (!(await isReadable(store))) throw unready("The database cannot be read right now.");
  if (!(await isWritable(store)))
    throw unready("The database can be read right now, but not written.");
  return json({ status: "ready" });
};

const unready = (message: string): Refusal =>
  new Refusal("unavailable", message, { "retry-after": "5" });

/** `GET /projects`: the caller's folders. */
export const getProjects = async (context: ApiContext): Promise<Reply> => {
  const { account, restriction } = callerOf(context);
  return jsonList("projects", await listFolders(context.store, account.id, restriction));
};

/** `POST /projects`: creates a folder. */
export const postProject = (context: ApiContext<unknown, FolderBody>): Write<MadeFolder> => {
  const caller = callerOf(context);
  const { name, title, colour = null } = context.body;
  const folderName = name ?? title;
  if (folderName === undefined) throw invalid("name is missing.");
  if (name !== undefined && title !== undefined) throw invalid("Send only one of name and title.");
  const draft = { name: folderName, colour };
  return (tx) => createFolder(tx, draft, caller);
};

/** `GET /tasks`: a page of the caller's tasks, newest change first, or best match first in a search. */
export const getTasks = async (context: ApiContext<TasksQuery>): Promise<Reply> => {
  const { query } = context;
  const { store, now } = context;
  const caller = callerOf(context);
  const include = (query.include?.split(",") ?? []) as readonly Included[];
  const [most, usual] = include.length > 0 ? [MOST_WHOLE, MOST_WHOLE] : [MAX_LIMIT, DEFAULT_LIMIT];
  const limit = parseLimit(query.limit, most) ?? usual;
  const page = { cursor: query.cursor, limit, include };
  const filter = await filterFor(store, caller, query, now);
  const list = include.length > 0 ? listWhole : listPage;
  const { rows, rest } = await list(store, caller, filter, page, now);
  return jsonList("tasks", rows, rest);
};

/** `GET /changes`: what changed since a time, as it is now. If nothing did, it waits as long as the caller asks. */
export const getChanges = async (context: ApiContext<ChangesQuery>): Promise<Reply> => {
  const { query, request, service } = context;
  const asked = {
    since: parseSince(query.since),
    limit: parseLimit(query.limit, MAX_LIMIT) ?? DEFAULT_LIMIT,
    // A HEAD request waits for nothing.
    wait: request.method === "GET" ? parseWait(query.wait, MAX_WAIT) * SECOND : 0,
  };
  const { changes, until, hasMore } = await changesFor(service, callerOf(context), asked, request);
  return jsonList("changes", changes.map(shownChange), {
    server_time: formatInstant(until),
    has_more: hasMore,
  });
};

/** `GET /inbox`: the inbox task with its tabs and notes; `id` is null if there is none, or the key cannot reach it. */
export const getInbox = async (context: ApiContext): Promise<Reply> => {
  const { account, restriction } = callerOf(context);
  const { store, now } = context;
  const inbox = await readInboxView(store, account.id, restriction);
  if (inbox === null) return json({ id: null, tabs: [] });
  const { body } = await showTask(await withClaimOf(store, account.id, inbox, now), context);
  return { body };
};

/** `GET /tasks/{id}`: a task with its tabs and notes. */
export const getTask = async (context: ApiContext): Promise<Reply> => {
  const caller = callerOf(context);
  const { account, restriction } = caller;
  const trashed = seesTrash(caller);
  const { store, now } = context;
  const task = await readTaskView(store, account.id, restriction, idOf(context), trashed);
  return showTask(await withClaimOf(store, account.id, task, now), context);
};
