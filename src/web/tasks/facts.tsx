import type { ComponentChildren } from "preact";
import type { RecordRow } from "../../domain/records/row.ts";
import { Shown, Time } from "../ui/parts.tsx";
import type { Account, Author } from "../../domain/people/account.ts";
import { type Instant, parseInstant } from "../../domain/base/instant.ts";
import { taskPath } from "../history/told.tsx";
import { html, type PageReply } from "../shared/reply.tsx";
import { Layout } from "../ui/layout.tsx";

type FactsProps = {
  readonly row: RecordRow;
  /** What this kind of record has beside its content. */
  readonly children?: ComponentChildren;
};

/** What is known about a record, apart from its content. */
export const Facts = ({ row, children }: FactsProps) => (
  <dl>
    {children}
    <dt>Created</dt>
    <dd>
      <Made
        by={{ created_by: row.createdBy, created_by_key: row.createdByKey }}
        at={row.createdAt}
      />
    </dd>
    <dt>Last changed</dt>
    <dd>
      <Time at={row.updated} />
    </dd>
  </dl>
);

type FactProps = { readonly label: string; readonly children: ComponentChildren };

/** One field. */
export const Fact = ({ label, children }: FactProps) => (
  <>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </>
);

/**
 * Who created something: the account's person, or an agent with a key. A key's name may be too long for a
 * badge.
 */
const Maker = ({ of: { created_by, created_by_key } }: { readonly of: Author }) => (
  <>
    <span class="badge plain">{created_by === "person" ? "by you" : "by an agent"}</span>
    {created_by_key !== null && (
      <>
        {" "}
        <Shown text={created_by_key} />
      </>
    )}
  </>
);

type MadeProps = { readonly by: Author; readonly at: Instant | null };

/** Who created something, and when, if that is known: a device may not have stored it. */
export const Made = ({ by, at }: MadeProps) => (
  <>
    <Maker of={by} />{" "}
    {at !== null && (
      <span class="quiet-text">
        <Time at={at} />
      </span>
    )}
  </>
);

/** A time, as it is stored in a record. */
export const instantOf = (text: string | null): Instant | null =>
  text === null ? null : parseInstant(text);

/** How many entries of a long list are not on the page. */
export const Rest = ({ count, what }: { readonly count: number; readonly what: string }) =>
  count > 0 ? (
    <p class="quiet-text">
      {count} more {what} are not shown. Open the task in the extension to see them.
    </p>
  ) : null;

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
