import { type DeletedPage, listDeleted } from "../../db/history/deleted.ts";
import { readNames } from "../../db/history/names.ts";
import { readTitles } from "../../db/records/lookup.ts";
import type { Names } from "../../domain/history/event.ts";
import type { SignedInContext } from "../shared/context.ts";
import { html, type PageReply } from "../shared/reply.tsx";
import { Layout } from "../ui/layout.tsx";
import { DeletionBanner } from "./banner.tsx";
import { deletedPath, readPlace } from "./place.ts";
import { RestoredNotice } from "./restored.tsx";
import { DeletedTable } from "./table.tsx";
import { readUnanswered } from "./unanswered.ts";

/** Rows of one page. */
const ROWS = 50;

/** `GET /account/deleted`: what devices deleted or put into the trash, the newest first. */
export const getDeleted = async (context: SignedInContext): Promise<PageReply> => {
  const { store, now } = context;
  const { id: accountId } = context.who.account;
  const cursor = context.query.get("cursor") ?? "";
  const after = readPlace(cursor);
  const page = await listDeleted(store, accountId, { after, limit: ROWS }, now);
  const deletions = await readUnanswered(context, 0);
  const restored = context.query.get("restored") ?? "";
  const titles = await readTitles(store, accountId, [restored]);
  const names = await readNames(store, accountId);
  const isLost = cursor !== "" && after === null;
  return html(
    <Layout title="Deleted and trashed" account={context.who.account} at="/account/deleted">
      {isLost && (
        <p class="problem banner" role="alert">
          The address does not say where the page begins: the newest is shown.
        </p>
      )}
      {restored !== "" && <RestoredNotice record={restored} title={titles.get(restored)} />}
      {deletions.map((deletion) => (
        <DeletionBanner key={deletion.id} of={deletion} names={names} />
      ))}
      <p>
        What was deleted within the last 90 days, and all that lies in the trash. What you restore
        counts as a new edit: your devices take it at their next sync. Keys can neither delete nor
        trash.
      </p>
      <List page={page} names={names} isFirst={after === null} />
    </Layout>,
    { status: isLost ? 422 : 200 },
  );
};

type ListProps = { readonly page: DeletedPage; readonly names: Names; readonly isFirst: boolean };

const List = ({ page: { rows, next }, names, isFirst }: ListProps) => (
  <>
    {rows.length === 0 ? <p>There is nothing.</p> : <DeletedTable rows={rows} names={names} />}
    <nav class="pager" aria-label="Pages">
      {!isFirst && <a href="/account/deleted">Newest</a>}
      {next && <a href={deletedPath(next)}>Older</a>}
    </nav>
  </>
);
