import { recordName } from "../../domain/base/record.ts";
import type { RecordRow } from "../../domain/records/row.ts";
import { readRecord } from "../../db/records/lookup.ts";
import { listHistory } from "../../db/history/history.ts";
import { importOf } from "../../db/imports/journal.ts";
import { nameOfFormat } from "../../import/formats/names.ts";
import { notFound } from "../../domain/base/refusal.ts";
import { isRecordId } from "../../domain/base/text.ts";
import type { SignedInContext } from "../shared/page.ts";
import { html, type PageReply } from "../shared/reply.tsx";
import { Made } from "../tasks/facts.tsx";
import { Notice } from "../ui/fields.tsx";
import { Layout } from "../ui/layout.tsx";
import { shownText } from "../ui/parts.tsx";
import { appTaskPath, StepCard, taskPath, tellSteps, type Told } from "./told.tsx";

/** Events on one page. */
const STEPS = 20;

/** `GET /account/tasks/:id/history`: what happened to a task, newest first. Works for deleted tasks too. */
export const getHistory = async (context: SignedInContext): Promise<PageReply> => {
  const row = await taskOf(context);
  const asked = context.query.get("before") ?? "";
  const after = readVersion(asked);
  const isEach = context.query.has("each");
  const page = { after, limit: STEPS, bySitting: !isEach };
  const { steps, next } = await listHistory(context.store, row.accountId, row.table, row.id, page);
  const told = await tellSteps(context, row, steps);
  const from = next === null ? await importOf(context.store.reader, row.accountId, row) : null;
  const isLost = asked !== "" && after === null;
  return html(
    <HistoryPage
      context={context}
      row={row}
      told={told}
      next={next}
      after={after}
      from={from}
      isLost={isLost}
      isEach={isEach}
    />,
    { status: isLost ? 422 : 200 },
  );
};

/** The task in the path, deleted or not. Refuses one that the account never had. */
export const taskOf = async ({ store, who, pathId }: SignedInContext): Promise<RecordRow> => {
  const row = isRecordId(pathId)
    ? await readRecord(store, who.account.id, "sync_tasks", pathId)
    : null;
  if (!row) throw notFound("task");
  return row;
};

/** The number of a version, as it appears in an address; null for anything else. */
export const readVersion = (text: string): number | null =>
  /^\d{1,15}$/.test(text) ? Number(text) : null;

type HistoryProps = {
  readonly context: SignedInContext;
  readonly row: RecordRow;
  readonly told: readonly Told[];
  readonly next: number | null;
  readonly after: number | null;
  /** The file that it was imported from. */
  readonly from: Origin;
  readonly isLost: boolean;
  /** Whether each edit is an entry, also of those that were made in one go. */
  readonly isEach: boolean;
};

type Origin = Awaited<ReturnType<typeof importOf>>;

const HistoryPage = ({ context, row, told, next, after, from, isLost, isEach }: HistoryProps) => (
  <Layout
    title={`History of ${shownText(recordName("sync_tasks", row.title))}`}
    account={context.who.account}
    at="/tasks"
    action={
      row.deletedAt === null && (
        <a class="button main" href={appTaskPath(row.id)}>
          Open this task
        </a>
      )
    }
  >
    {isLost && (
      <p class="problem banner" role="alert">
        This address does not lead to a page of the list. Showing the newest changes.
      </p>
    )}
    {context.query.get("done") === "restored" && <RestoredNotice />}
    <Lead row={row} isEach={isEach} />
    {told.length === 0 && <p>There are no changes to show.</p>}
    {told.map((one) => (
      <StepCard key={one.versionId} of={one} taskId={row.id} />
    ))}
    {next === null && <Beginning of={row} from={from} />}
    {(after !== null || next !== null) && (
      <nav class="pager" aria-label="Pages">
        {after !== null && <a href={pagePath(row.id, isEach)}>Newest</a>}
        {next !== null && <a href={pagePath(row.id, isEach, next)}>Older</a>}
      </nav>
    )}
  </Layout>
);

const RestoredNotice = () => (
  <Notice>
    The version is restored. Your devices get it as a new edit at their next sync. The version it
    replaced is in the list below.
  </Notice>
);

const pagePath = (id: string, isEach: boolean, before: number | null = null): string => {
  const query = [...(isEach ? ["each=yes"] : []), ...(before === null ? [] : [`before=${before}`])];
  return taskPath(id, "/history") + (query.length === 0 ? "" : `?${query.join("&")}`);
};

type LeadProps = { readonly row: RecordRow; readonly isEach: boolean };

const Lead = ({ row, isEach }: LeadProps) => (
  <p>
    What happened to <a href={taskPath(row.id)}>this task</a>
    {row.deletedAt !== null && ", which is now deleted"}, newest first. Docket keeps replaced and
    refused versions for 90 days.{" "}
    {isEach ? (
      <a href={pagePath(row.id, false)}>Show edits made in one go as one</a>
    ) : (
      <>
        Edits made in one go are one entry: <a href={pagePath(row.id, true)}>show each edit</a>.
      </>
    )}
  </p>
);

const Beginning = ({ of: row, from }: { readonly of: RecordRow; readonly from: Origin }) => (
  <p>
    The task was created{" "}
    <Made by={{ created_by: row.createdBy, created_by_key: row.createdByKey }} at={row.createdAt} />
    {from && `, from the file ${from.name} (${nameOfFormat(from.format)})`}
  </p>
);
