import type { ComponentChildren } from "preact";
import { type Comparison, isSame } from "../../domain/history/comparison.ts";
import type { RecordRow } from "../../domain/sync/row.ts";
import { restoreVersion } from "../../db/history/restore.ts";
import type { Step } from "../../domain/history/step.ts";
import { listHistory } from "../../db/history/history.ts";
import { notFound } from "../../domain/base/refusal.ts";
import type { SignedInContext } from "../shared/context.ts";
import { field } from "../shared/form.ts";
import { html, type PageReply, seeOther } from "../shared/reply.tsx";
import { Differences } from "../ui/difference.tsx";
import { Notice } from "../ui/fields.tsx";
import { Layout } from "../ui/layout.tsx";
import { Said } from "../ui/sentence.tsx";
import { Shown } from "../ui/shown.tsx";
import { Time } from "../ui/time.tsx";
import { readVersion, taskOf } from "./history.tsx";
import { taskPath } from "./paths.ts";
import { compareNow, type Told, tellSteps } from "./told.ts";

/** `GET /account/tasks/:id/restore?version=`: what putting that version back would change now. */
export const getRestore = async (context: SignedInContext): Promise<PageReply> => {
  const row = await taskOf(context);
  const step = await stepOf(context, row, context.query.get("version") ?? "");
  const [told] = await tellSteps(context, row, [step]);
  if (!told) throw notFound("version");
  const restoring = await compareNow(context, row, step);
  return html(<RestorePage context={context} row={row} of={told} restoring={restoring} />);
};

/** `POST /account/tasks/:id/restore`: puts the version back, as a new edit. */
export const postRestore = async (context: SignedInContext): Promise<PageReply> => {
  const row = await taskOf(context);
  const { version } = await stepOf(context, row, field(context.form, "version"));
  const { store, who, now } = context;
  await store.transaction(who.account.id, now, (tx) => restoreVersion(tx, version.id));
  return seeOther(`${taskPath(row.id, "/history")}?done=restored`);
};

/** What happened to this task when the version lost. Refuses one of another task, or of no task. */
const stepOf = async (context: SignedInContext, row: RecordRow, text: string): Promise<Step> => {
  const id = readVersion(text) ?? -1;
  const page = { after: id + 1, limit: 1 };
  const { steps } = await listHistory(context.store, row.accountId, row.table, row.id, page);
  const step = steps.find(({ version }) => version.id === id);
  if (!step) throw notFound("version");
  return step;
};

type RestoreProps = {
  readonly context: SignedInContext;
  readonly row: RecordRow;
  readonly of: Told;
  /** What it would change now; null where there is nothing to put back. */
  readonly restoring: Comparison | null;
};

const RestorePage = ({ context, row, of: told, restoring }: RestoreProps) => (
  <Layout title="Restore a version" account={context.who.account} at="/account/activity">
    <p>
      {row.title && (
        <>
          “<Shown text={row.title} />
          ”,{" "}
        </>
      )}
      {told.event.refused ? "the version that was not taken" : "as it was before this"}:{" "}
      <strong>
        <Said of={told.sentence} />
      </strong>
      , <Time at={told.event.at} />.
    </p>
    {restoring === null ? (
      <Nothing taskId={row.id}>
        There is nothing to restore in that version: the task was deleted then, or not there.
      </Nothing>
    ) : isSame(restoring) ? (
      <Nothing taskId={row.id}>That is what stands now: there is nothing to restore.</Nothing>
    ) : (
      <RestoreForm taskId={row.id} versionId={told.versionId} restoring={restoring} />
    )}
  </Layout>
);

type NothingProps = { readonly taskId: string; readonly children: ComponentChildren };

const Nothing = ({ taskId, children }: NothingProps) => (
  <>
    <Notice>{children}</Notice>
    <p>
      <a href={taskPath(taskId, "/history")}>Back to the history</a>
    </p>
  </>
);

type FormProps = {
  readonly taskId: string;
  readonly versionId: number;
  readonly restoring: Comparison;
};

const RestoreForm = ({ taskId, versionId, restoring }: FormProps) => (
  <>
    <section>
      <h2>What that changes now</h2>
      <Differences of={restoring} />
    </section>
    <p>
      It counts as a new edit: your devices take it at their next sync. What stands now is kept in
      the history for 90 days.
    </p>
    <form method="post" action={taskPath(taskId, "/restore")}>
      <input type="hidden" name="version" value={String(versionId)} />
      <div class="actions">
        <button class="main">Restore this version</button>
        <a href={taskPath(taskId, "/history")}>Leave the task as it is</a>
      </div>
    </form>
  </>
);
