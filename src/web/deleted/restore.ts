import { restoreDeletion } from "../../db/history/mass-deletions.ts";
import { restoreDeleted } from "../../db/history/restore.ts";
import { tableOf } from "../../domain/base/record.ts";
import { notFound } from "../../domain/base/refusal.ts";
import { isRecordId } from "../../domain/base/text.ts";
import type { SignedInContext } from "../shared/page.ts";
import { field } from "../shared/form.ts";
import { type PageReply, seeOther } from "../shared/reply.tsx";

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
