import { and, eq, sql } from "drizzle-orm";
import type { Editor } from "../../domain/people/caller.ts";
import { type TaskPatch, trashRefusal } from "../../domain/tasks/draft.ts";
import type { Restriction } from "../../domain/people/restriction.ts";
import type { Payload } from "../../domain/base/payload.ts";
import { say } from "../../domain/base/message.ts";
import { invalid } from "../../domain/base/refusal.ts";
import { foldersWithin, restrictionValues, type Reach, reachOf } from "./reach.ts";
import { type Orm, prepared } from "../sqlite/orm.ts";
import { record } from "../schema/records.ts";
import { hasBucket, type TrashFinder } from "./trash.ts";

const LIVE_FOLDER = sql`${record.table} = 'sync_projects' and ${record.live} = 1`;

const selectFolder = prepared((orm, { by, reach }: { by: "id" | "title"; reach: Reach }) =>
  orm
    .select({ id: record.id })
    .from(record)
    .where(
      and(
        eq(record.accountId, sql.placeholder("accountId")),
        eq(record[by], sql.placeholder("text")),
        LIVE_FOLDER,
        foldersWithin(reach),
      ),
    )
    .orderBy(record.createdAt, record.id)
    .limit(1)
    .prepare(),
);

/**
 * The payload fields by which a task lies in a folder and a bucket, resolved from what was sent.
 * Refuses unknown ones, as which a folder beyond the editor's restriction counts, and a trash bucket: nobody
 * trashes a task over REST.
 */
export const resolveContainers = (
  orm: Orm,
  accountId: number,
  patch: TaskPatch,
  editor: Editor,
  trash: TrashFinder,
): Payload => ({
  ...resolveBucket(orm, accountId, patch.bucket_id, editor.kind === "api_key", trash),
  ...resolveFolder(orm, accountId, editor.restriction, patch),
});

const resolveBucket = (
  orm: Orm,
  accountId: number,
  id: string | null | undefined,
  byKey: boolean,
  trash: TrashFinder,
): Payload => {
  if (id === undefined) return {};
  if (id === null) return { bucket_id: null };
  if (trash.holds(id)) throw trashRefusal("the bucket_id of a trash bucket", byKey);
  if (!hasBucket(orm, accountId, id))
    throw invalid("bucket_id does not match any bucket in this account.");
  return { bucket_id: id };
};

/** `folder` takes a live folder's id, or else its exact name; `project_id` an id. */
const resolveFolder = (
  orm: Orm,
  accountId: number,
  restriction: Restriction | null,
  { folder, project_id: projectId }: TaskPatch,
): Payload => {
  const reach = reachOf(restriction);
  const find = (by: "id" | "title", text: string): string | null =>
    selectFolder(orm, { by, reach }).get({ accountId, text, ...restrictionValues(restriction) })
      ?.id ?? null;
  const byName = folder && (find("id", folder) ?? find("title", folder));
  const byId = projectId && find("id", projectId);
  if (folder === "" || (folder && byName === null))
    throw invalid(
      say`folder does not match any folder in this account. Send an id or exact name from ${{ call: "listFolders" }}.`,
    );
  if (projectId === "" || (projectId && byId === null))
    throw invalid(
      say`project_id does not match any folder in this account. Send an id from ${{ call: "listFolders" }}.`,
    );
  if (byName !== undefined && byId !== undefined && byName !== byId)
    throw invalid("folder and project_id mean different folders. Send only one of them.");
  const found = byName ?? byId;
  return found === undefined && folder === undefined && projectId === undefined
    ? {}
    : { project_id: found ?? null };
};
