import { restoreDeletion } from "../../db/deletions.ts";
import { restoreGone } from "../../db/restoring.ts";
import type { Table } from "../../record.ts";
import { notFound } from "../../refusal.ts";
import { isRecordId } from "../../text.ts";
import type { SignedInAsk } from "../ask.ts";
import { field } from "../form.ts";
import { type PageReply, seeOther } from "../reply.tsx";

/** What people call a record of each table. */
export const KINDS: Readonly<Record<Table, string>> = {
  sync_tasks: "task",
  sync_projects: "folder",
  sync_buckets: "bucket",
};

/**
 * `POST /account/deleted/restore`: restores one record. Refuses a record whose contents are no longer kept.
 */
export const postRestoreOne = async ({
  store,
  who,
  form,
  now,
}: SignedInAsk): Promise<PageReply> => {
  const kind = field(form, "kind");
  const table = TABLES.get(kind);
  const id = field(form, "id");
  if (!table || !isRecordId(id)) throw notFound("record");
  await restoreGone(store, who.account.id, table, id, now);
  return seeOther(`/account/deleted?restored=${encodeURIComponent(`${kind}:${id}`)}`);
};

const TABLES: ReadonlyMap<string, Table> = new Map(
  Object.entries(KINDS).map(([table, kind]) => [kind, table as Table]),
);

/** `POST /account/deleted/:id/restore`: restores everything that one push of a device deleted. */
export const postRestoreAll = async ({
  store,
  who,
  pathId,
  now,
}: SignedInAsk): Promise<PageReply> => {
  const id = /^\d{1,15}$/.test(pathId ?? "") ? Number(pathId) : -1;
  await restoreDeletion(store, who.account.id, id, now);
  return seeOther("/account/deleted?restored=all");
};
