import type { RecordRow } from "../../domain/sync/row.ts";
import { readRecord } from "../../db/records/lookup.ts";
import { listHistory } from "../../db/history/history.ts";
import { notFound } from "../../domain/base/refusal.ts";
import { isRecordId } from "../../domain/base/text.ts";
import type { SignedInContext } from "../shared/context.ts";
import { html, type PageReply } from "../shared/reply.tsx";
import { Made } from "../tasks/maker.tsx";
import { Notice } from "../ui/fields.tsx";
import { Layout } from "../ui/layout.tsx";
import { shownText } from "../ui/shown.tsx";
import { taskPath } from "./paths.ts";
import { StepCard } from "./step.tsx";
import { type Told, tellSteps } from "./told.ts";

/** Things that happened, on one page. */
const STEPS = 20;

/** `GET /account/tasks/:id/history`: what happened to a task, also to a deleted one, the newest first. */
export const getHistory = async (context: SignedInContext): Promise<PageReply> => {
  const row = await taskOf(context);
  const asked = context.query.get("before") ?? "";
  const after = readVersion(asked);
  const page = { after, limit: STEPS };
  const { steps, next } = await listHistory(context.store, row.accountId, row.table, row.id, page);
  const told = await tellSteps(context, row, steps);
  const isLost = asked !== "" && after === null;
  return html(
    <HistoryPage
      context={context}
      row={row}
      told={told}
      next={next}
      after={after}
      isLost={isLost}
    />,
    { status: isLost ? 422 : 200 },
  );
};

/** The task of the path, whether it lives or not. Refuses one that the account never had. */
export const taskOf = async ({ store, who, pathId }: SignedInContext): Promise<RecordRow> => {
  const row = isRecordId(pathId)
    ? await readRecord(store, who.account.id, "sync_tasks", pathId)
    : null;
  if (!row) throw notFound("task");
  return row;
};

/** The number of a version as an address has it, null for anything else. */
export const readVersion = (text: string): number | null =>
  /^\d{1,15}$/.test(text) ? Number(text) : null;

type HistoryProps = {
  readonly context: SignedInContext;
  readonly row: RecordRow;
  readonly told: readonly Told[];
  readonly next: number | null;
  readonly after: number | null;
  readonly isLost: boolean;
};

const HistoryPage = ({ context, row, told, next, after, isLost }: HistoryProps) => (
  <Layout
    title={`History of ${shownText(row.title) || "a task"}`}
    account={context.who.account}
    at="/account/activity"
  >
    {isLost && (
      <p class="problem banner" role="alert">
        The address does not say where the page begins: the newest is shown.
      </p>
    )}
    {context.query.get("done") === "restored" && <RestoredNotice />}
    <Lead row={row} />
    {told.length === 0 && <p>Nothing that is kept has happened to it.</p>}
    {told.map((one) => (
      <StepCard key={one.versionId} of={one} taskId={row.id} />
    ))}
    {next === null && <Beginning of={row} />}
    <nav class="pager" aria-label="Pages">
      {after !== null && <a href={taskPath(row.id, "/history")}>Newest</a>}
      {next !== null && <a href={`${taskPath(row.id, "/history")}?before=${next}`}>Older</a>}
    </nav>
  </Layout>
);

const RestoredNotice = () => (
  <Notice>
    The version is restored. It counts as a new edit: your devices take it at their next sync. What
    stood before is in the list below.
  </Notice>
);

const Lead = ({ row }: { readonly row: RecordRow }) => (
  <p>
    What happened to <a href={taskPath(row.id)}>this task</a>
    {row.deletedAt !== null && ", which is deleted"}, the newest first. Versions that were replaced
    or refused are kept for 90 days.
  </p>
);

const Beginning = ({ of: row }: { readonly of: RecordRow }) => (
  <p>
    The task was made{" "}
    <Made by={{ created_by: row.createdBy, created_by_key: row.createdByKey }} at={row.createdAt} />
  </p>
);
