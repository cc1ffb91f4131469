import type { Account } from "../../domain/people/account.ts";
import type { RecordRow } from "../../domain/sync/row.ts";
import { taskPath } from "../history/paths.ts";
import { html, type PageReply } from "../shared/reply.tsx";
import { Layout } from "../ui/layout.tsx";
import { Time } from "../ui/time.tsx";
import { instantOf } from "./maker.tsx";

/** The page of something that was deleted: it is not there, but whoever comes from the activity learns why. */
export const showDeleted = (
  account: Account,
  what: "folder" | "task",
  { id, deletedAt, writerKind }: RecordRow,
): PageReply => {
  const at = instantOf(deletedAt);
  return html(
    <Layout title={`Deleted ${what}`} account={account} at="/account/activity">
      <p>
        This {what} was deleted{" "}
        {at !== null && (
          <>
            on <Time at={at} />{" "}
          </>
        )}
        {writerKind === "person"
          ? "when you undid what a key had done."
          : "in the extension. No key can delete."}
      </p>
      <ul>
        {what === "task" && (
          <li>
            <a href={taskPath(id, "/history")}>What happened to it</a>, and how to go back
          </li>
        )}
        <li>
          <a href="/account/deleted">All that was deleted</a>
        </li>
        <li>
          <a href="/account/activity">To the activity</a>
        </li>
      </ul>
    </Layout>,
    { status: 404 },
  );
};
