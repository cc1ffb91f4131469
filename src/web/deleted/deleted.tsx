import { type DeletedPage, listDeleted } from "../../db/history/deleted.ts";
import { readNames } from "../../db/history/walk.ts";
import { readTitles } from "../../db/records/lookup.ts";
import { type Names, whoIs } from "../../domain/history/event.ts";
import type { SignedInContext } from "../shared/page.ts";
import { html, type PageReply } from "../shared/reply.tsx";
import { Layout } from "../ui/layout.tsx";
import { RestoredNotice } from "./restore.tsx";
import { DeletedTable } from "./table.tsx";
import { readUnanswered } from "./refused.tsx";
import type { MassDeletion } from "../../db/history/mass-deletions.ts";
import { Doer, Time } from "../ui/parts.tsx";
import { isInstant } from "../../domain/base/instant.ts";
import { isTable, type GonePosition } from "../../domain/base/record.ts";

/** Rows on one page. */
const ROWS = 50;

/** `GET /account/deleted`: what devices deleted or moved to the trash, newest first. */
export const getDeleted = async (context: SignedInContext): Promise<PageReply> => {
  const { store, now } = context;
  const { id: accountId } = context.who.account;
  const cursor = context.query.get("cursor") ?? "";
  const after = readDeletedPosition(cursor);
  const page = await listDeleted(store, accountId, { after, limit: ROWS }, now);
  const deletions = await readUnanswered(context, 0);
  const restored = context.query.get("restored") ?? "";
  const titles = await readTitles(store, accountId, [restored]);
  const names = await readNames(store, accountId);
  const isLost = cursor !== "" && after === null;
  return html(
    <Layout
      title="Deleted and trashed"
      account={context.who.account}
      at="/tasks"
      action={
        <a class="button" href="/tasks/trash">
          Open the trash
        </a>
      }
    >
      {isLost && (
        <p class="problem banner" role="alert">
          This address does not lead to a page of the list. Showing the newest items.
        </p>
      )}
      {restored !== "" && <RestoredNotice record={restored} title={titles.get(restored)} />}
      {deletions.map((deletion) => (
        <DeletionBanner key={deletion.id} of={deletion} names={names} />
      ))}
      <p>
        Everything that was deleted in the last 90 days, and everything in the trash. Restoring
        counts as a new edit, which your devices get at their next sync. API keys cannot delete
        anything or move it to the trash.
      </p>
      <List page={page} names={names} isFirst={after === null} />
    </Layout>,
    { status: isLost ? 422 : 200 },
  );
};

type ListProps = { readonly page: DeletedPage; readonly names: Names; readonly isFirst: boolean };

const List = ({ page: { rows, next }, names, isFirst }: ListProps) => (
  <>
    {rows.length === 0 ? (
      <div class="empty">
        <h2>There is nothing to restore.</h2>
        <p>Deleted tasks and folders appear here.</p>
      </div>
    ) : (
      <DeletedTable rows={rows} names={names} />
    )}
    {(!isFirst || next !== null) && (
      <nav class="pager" aria-label="Pages">
        {!isFirst && <a href="/account/deleted">Newest</a>}
        {next && <a href={deletedPath(next)}>Older</a>}
      </nav>
    )}
  </>
);

type BannerProps = { readonly of: MassDeletion; readonly names: Names };

/** A push deleted a great deal at once. Anyone who did not mean to can restore it here. */
export const DeletionBanner = ({ of: deletion, names }: BannerProps) => (
  <div class="problem banner" role="status">
    <p>
      On <Time at={deletion.at} />, <Doer of={whoIs("session", deletion.sessionId, names)} />{" "}
      deleted {deletion.records} tasks and folders at once.
    </p>
    <form method="post" action={`/account/deleted/${deletion.id}/restore`}>
      <button class="main">Restore all of them</button>
    </form>
  </div>
);

/** The address of a page of the list. The cursor is opaque to its readers. */
const deletedPath = ({ at, table, id }: GonePosition): string =>
  `/account/deleted?cursor=${Buffer.from(JSON.stringify([at, table, id])).toString("base64url")}`;

/** Where a page of the list starts; null for a cursor that was not made here. */
const readDeletedPosition = (cursor: string): GonePosition | null => {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
    const [at, table, id] = Array.isArray(value) ? (value as readonly unknown[]) : [];
    return isInstant(at) && isTable(table) && typeof id === "string" ? { at, table, id } : null;
  } catch {
    return null;
  }
};
