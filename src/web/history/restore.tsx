import { recordName } from "../../domain/base/record.ts";
import type { ComponentChildren } from "preact";
import { type Comparison, isSame } from "../../domain/history/comparison.ts";
import type { RecordRow } from "../../domain/records/row.ts";
import { restoreVersion } from "../../db/history/restore.ts";
import type { Step } from "../../domain/history/event.ts";
import { listHistory } from "../../db/history/history.ts";
import { notFound } from "../../domain/base/refusal.ts";
import type { SignedInContext } from "../shared/page.ts";
import { field } from "../shared/form.ts";
import { html, type PageReply, seeOther } from "../shared/reply.tsx";
import { Differences } from "../ui/difference.tsx";
import { Notice } from "../ui/fields.tsx";
import { Layout } from "../ui/layout.tsx";
import { Said, Shown, Time } from "../ui/parts.tsx";
import { readVersion, taskOf } from "./history.tsx";
import { compareNow, taskPath, tellSteps, type Told } from "./told.tsx";

/** `GET /account/tasks/:id/restore?version=`: what restoring that version would change now. */
export const getRestore = async (context: SignedInContext): Promise<PageReply> => {
  const row = await taskOf(context);
  const step = await stepOf(context, row, context.query.get("version") ?? "");
  const [told] = await tellSteps(context, row, [step]);
  if (!told) throw notFound("version");
  const restoring = await compareNow(context, row, step);
  return html(<RestorePage context={context} row={row} of={told} restoring={restoring} />);
};

/** `POST /account/tasks/:id/restore`: restores the version, as a new edit. */
export const postRestore = async (context: SignedInContext): Promise<PageReply> => {
  const row = await taskOf(context);
  const { version } = await stepOf(context, row, field(context.form, "version"));
  const { store, who, now } = context;
  await store.transaction(who.account.id, now, (tx) => restoreVersion(tx, version.id));
  return seeOther(`${taskPath(row.id, "/history")}?done=restored`);
};

/** The event that replaced or refused the version. Refuses a version of another task, or of none. */
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
  /** What it would change now; null if there is nothing to restore. */
  readonly restoring: Comparison | null;
};

const RestorePage = ({ context, row, of: told, restoring }: RestoreProps) => (
  <Layout title="Restore a version" account={context.who.account} at="/tasks">
    <p>
      “<Shown text={recordName("sync_tasks", row.title)} />
      ”, {told.event.refused
        ? "the version that was refused"
        : "as it was before this change"}:{" "}
      <strong>
        <Said of={told.sentence} />
      </strong>
      , <Time at={told.event.at} />.
    </p>
    {restoring === null ? (
      <Nothing taskId={row.id}>
        There is nothing to restore. In that version, the task was deleted or did not exist yet.
      </Nothing>
    ) : isSame(restoring) ? (
      <Nothing taskId={row.id}>There is nothing to restore. The task is already like that.</Nothing>
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
      <h2>What will change</h2>
      <Differences of={restoring} />
    </section>
    <p>
      Restoring counts as a new edit, which your devices get at their next sync. The current version
      stays in the history for 90 days.
    </p>
    <form method="post" action={taskPath(taskId, "/restore")}>
      <input type="hidden" name="version" value={String(versionId)} />
      <div class="actions">
        <button class="main">Restore this version</button>
        <a href={taskPath(taskId, "/history")}>Cancel</a>
      </div>
    </form>
  </>
);
