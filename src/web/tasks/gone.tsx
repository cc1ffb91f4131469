import type { Account } from "../../account.ts";
import { html, type PageReply } from "../reply.tsx";
import { Layout } from "../ui/layout.tsx";
import { Time } from "../ui/time.tsx";
import { instantOf } from "./maker.tsx";

/** The page of something that was deleted: it is not there, but whoever comes from the activity learns why. */
export const showGone = (
  account: Account,
  what: "folder" | "task",
  deletedAt: string,
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
        in the extension. No key can delete.
      </p>
      <p>
        <a href="/account/activity">To the activity</a>
      </p>
    </Layout>,
    { status: 404 },
  );
};
