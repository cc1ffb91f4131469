import type { Account } from "../../domain/people/account.ts";
import type { RecordRow } from "../../domain/records/row.ts";
import { taskPath } from "../history/paths.ts";
import { html, type PageReply } from "../shared/reply.tsx";
import { Layout } from "../ui/layout.tsx";
import { Time } from "../ui/time.tsx";
import { instantOf } from "./maker.tsx";

/**
 * The page of a record that was deleted. The activity list links here, so it says how the record was deleted.
 */
export const showDeleted = (
  account: Account,
  what: "folder" | "task",
  { id, deletedAt, writerKind }: RecordRow,
): PageReply => {
  const at = instantOf(deletedAt);
  return html(
    <Layout title={`Deleted ${what}`} account={account} at="/tasks">
      <p>
        This {what} was deleted{" "}
        {at !== null && (
          <>
            on <Time at={at} />{" "}
          </>
        )}
        {writerKind === "person"
          ? "when you undid a key’s changes."
          : "in the extension. API keys cannot delete."}
      </p>
      <ul>
        {what === "task" && (
          <li>
            <a href={taskPath(id, "/history")}>History</a>, where you can restore it
          </li>
        )}
        <li>
          <a href="/account/deleted">All deleted items</a>
        </li>
        <li>
          <a href="/account/activity">Activity</a>
        </li>
      </ul>
    </Layout>,
    { status: 404 },
  );
};
