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

/** `GET /account/tasks/:id/restore?version=`: what restoring that version would change now. */
export const getRestore = async (ask: SignedInAsk): Promise<PageReply> => {
  const row = await taskOf(ask);
  const step = await stepOf(ask, row, ask.query.get("version") ?? "");
  const [told] = await tellSteps(ask, row, [step]);
  if (!told) throw notFound("version");
  const restoring = await compareNow(ask, row, step);
  return html(<RestorePage ask={ask} row={row} of={told} restoring={restoring} />);
};

/** `POST /account/tasks/:id/restore`: restores the version, as a new edit. */
export const postRestore = async (ask: SignedInAsk): Promise<PageReply> => {
  const row = await taskOf(ask);
  const { version } = await stepOf(ask, row, field(ask.form, "version"));
  await restoreVersion(ask.store, ask.who.account.id, version.id, ask.now);
  return seeOther(`${taskPath(row.id, "/history")}?done=restored`);
};

/** The event that replaced or refused the version. Refuses a version of another task, or of none. */
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
  /** What it would change now; null if there is nothing to restore. */
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
      {told.happening.refused
        ? "the version that was refused"
        : "as it was before this change"}:{" "}
      <strong>
        <Said of={told.sentence} />
      </strong>
      , <Time at={told.happening.at} />.
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
