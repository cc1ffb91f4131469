import { restoreDeletion } from "../../db/history/mass-deletions.ts";
import { restoreDeleted } from "../../db/history/restore.ts";
import { recordName, tableOf } from "../../domain/base/record.ts";
import { notFound } from "../../domain/base/refusal.ts";
import { isRecordId } from "../../domain/base/text.ts";
import type { SignedInContext } from "../shared/page.ts";
import { field } from "../shared/form.ts";
import { type PageReply, seeOther } from "../shared/reply.tsx";
import { Notice } from "../ui/fields.tsx";
import { Shown } from "../ui/parts.tsx";

/**
 * `POST /account/deleted/restore`: restores one record. Refuses a record whose contents are no longer kept.
 */
export const postRestoreOne = async ({
  store,
  who,
  form,
  now,
}: SignedInContext): Promise<PageReply> => {
  const kind = field(form, "kind");
  const table = tableOf(kind);
  const id = field(form, "id");
  if (!table || !isRecordId(id)) throw notFound("record");
  await store.transaction(who.account.id, now, (tx) => restoreDeleted(tx, { table, id }));
  return seeOther(`/account/deleted?restored=${encodeURIComponent(`${kind}:${id}`)}`);
};

/** `POST /account/deleted/:id/restore`: restores everything that one push of a device deleted. */
export const postRestoreAll = async ({
  store,
  who,
  pathId,
  now,
}: SignedInContext): Promise<PageReply> => {
  const id = /^\d{1,15}$/.test(pathId ?? "") ? Number(pathId) : -1;
  await restoreDeletion(store, who.account.id, id, now);
  return seeOther("/account/deleted?restored=all");
};

type RestoredProps = {
  /** What was restored: `task:ID`, `folder:ID`, `bucket:ID`, or `all` that one push deleted. */
  readonly record: string;
  /** The title of a task or folder that exists now. */
  readonly title: string | undefined;
};

/** Says what was just restored. An address can claim this of anything, so only what exists now is named. */
export const RestoredNotice = ({ record, title }: RestoredProps) => {
  const [, kind, id] = /^(task|folder):(.+)$/s.exec(record) ?? [];
  if (record === "all")
    return (
      <Notice>
        Everything that was deleted at once is restored, except what has since been restored or
        deleted again, and what is no longer kept. Your devices get it at their next sync.
      </Notice>
    );
  if (title === undefined || id === undefined)
    return <Notice>Restored. Your devices get it at their next sync.</Notice>;
  return (
    <Notice>
      The {kind}{" "}
      <a href={`/account/${kind}s/${encodeURIComponent(id)}`}>
        <Shown text={recordName(kind === "folder" ? "sync_projects" : "sync_tasks", title)} />
      </a>{" "}
      is restored. Your devices get it at their next sync.
    </Notice>
  );
};
