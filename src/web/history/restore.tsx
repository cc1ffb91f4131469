import type { ComponentChildren } from "preact";
import { type Comparison, isSame } from "../../comparison.ts";
import type { RecordRow } from "../../db/records.ts";
import { restoreVersion } from "../../db/restoring.ts";
import { listHistory, type Step } from "../../db/versions.ts";
import { notFound } from "../../refusal.ts";
import type { SignedInAsk } from "../ask.ts";
import { field } from "../form.ts";
import { html, type PageReply, seeOther } from "../reply.tsx";
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
export const getRestore = async (ask: SignedInAsk): Promise<PageReply> => {
  const row = await taskOf(ask);
  const step = await stepOf(ask, row, ask.query.get("version") ?? "");
  const [told] = await tellSteps(ask, row, [step]);
  if (!told) throw notFound("version");
  const restoring = await compareNow(ask, row, step);
  return html(<RestorePage ask={ask} row={row} of={told} restoring={restoring} />);
};

/** `POST /account/tasks/:id/restore`: puts the version back, as a new edit. */
export const postRestore = async (ask: SignedInAsk): Promise<PageReply> => {
  const row = await taskOf(ask);
  const { version } = await stepOf(ask, row, field(ask.form, "version"));
  await restoreVersion(ask.store, ask.who.account.id, version.id, ask.now);
  return seeOther(`${taskPath(row.id, "/history")}?done=restored`);
};

/** What happened to this task when the version lost. Refuses one of another task, or of no task. */
const stepOf = async (ask: SignedInAsk, row: RecordRow, text: string): Promise<Step> => {
  const id = readVersion(text) ?? -1;
  const page = { after: id + 1, limit: 1 };
  const { steps } = await listHistory(ask.store, row.accountId, row.table, row.id, page);
  const step = steps.find(({ version }) => version.id === id);
  if (!step) throw notFound("version");
  return step;
};

type RestoreProps = {
  readonly ask: SignedInAsk;
  readonly row: RecordRow;
  readonly of: Told;
  /** What it would change now; null where there is nothing to put back. */
  readonly restoring: Comparison | null;
};

const RestorePage = ({ ask, row, of: told, restoring }: RestoreProps) => (
  <Layout title="Restore a version" account={ask.who.account} at="/account/activity">
    <p>
      {row.title && (
        <>
          “<Shown text={row.title} />
          ”,{" "}
        </>
      )}
      {told.happening.refused ? "the version that was not taken" : "as it was before this"}:{" "}
      <strong>
        <Said of={told.sentence} />
      </strong>
      , <Time at={told.happening.at} />.
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
