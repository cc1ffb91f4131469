import { recordName } from "../../domain/base/record.ts";
import type { RecordRow } from "../../domain/records/row.ts";
import { readRecord, taskChildren } from "../../db/records/lookup.ts";
import { claimOfTask } from "../../db/records/claims.ts";
import type { Claim } from "../../domain/tasks/claim.ts";
import { notFound } from "../../domain/base/refusal.ts";
import { statusName } from "../../domain/tasks/task.ts";
import { valueText } from "../../domain/tasks/projection.ts";
import { fieldsWith, TASK_FIELDS, type TaskRow } from "../../domain/tasks/task-fields.ts";
import { isRecordId } from "../../domain/base/text.ts";
import type { SignedInContext } from "../shared/page.ts";
import { appTaskPath, taskPath } from "../history/told.tsx";
import { html, type PageReply } from "../shared/reply.tsx";
import { Notice } from "../ui/fields.tsx";
import { Layout } from "../ui/layout.tsx";
import { Colour, Day, Shown, shownText, Time } from "../ui/parts.tsx";
import { Fact, Facts, showDeleted } from "./facts.tsx";
import { NoteList, TabList } from "./children.tsx";

/** `GET /account/tasks/:id`: a task with its tabs and notes, and who created each. */
export const getTask = async (context: SignedInContext): Promise<PageReply> => {
  const { account } = context.who;
  const row = isRecordId(context.pathId)
    ? await readRecord(context.store, account.id, "sync_tasks", context.pathId)
    : null;
  if (!row) throw notFound("task");
  if (row.deletedAt !== null) return showDeleted(account, "task", row);
  const folder = await folderOf(context, row);
  const { store, now } = context;
  const claim = await claimOfTask(store.reader, account.id, row.id, now);
  return html(<TaskPage context={context} row={row} folder={folder} claim={claim} />);
};

const folderOf = async (
  context: SignedInContext,
  { folderId }: RecordRow,
): Promise<RecordRow | null> =>
  folderId === null
    ? null
    : readRecord(context.store, context.who.account.id, "sync_projects", folderId);

type TaskProps = {
  readonly context: SignedInContext;
  readonly row: RecordRow;
  readonly folder: RecordRow | null;
  readonly claim: Claim | null;
};

/** The most tabs, and the most notes, that the page shows. */
const MOST = 1_000;

const FACTS = fieldsWith("isFact");

const TaskPage = ({ context, row, folder, claim }: TaskProps) => {
  const task = JSON.parse(row.row) as TaskRow;
  const { tabs, notes } = taskChildren(row, MOST);
  return (
    <Layout
      title={shownText(recordName("sync_tasks", task.title))}
      account={context.who.account}
      at="/tasks"
      action={
        <a class="button main" href={appTaskPath(row.id)}>
          Open this task
        </a>
      }
    >
      {row.trashed === 1 && (
        <Notice>
          This task is in the trash, so no API key can change it. You can restore it in the
          extension or under <a href="/account/deleted">deleted items</a>.
        </Notice>
      )}
      {claim && (
        <Notice>
          “<Shown text={claim.by} />” works on this task until <Time at={claim.until} />. You need
          not wait for it. In the task itself, you can end that.
        </Notice>
      )}
      <Facts row={row}>
        <FieldFact of="status" task={task} />
        <Fact label={TASK_FIELDS.project_id.label}>
          {row.folderId === null ? "none" : <FolderName id={row.folderId} folder={folder} />}
        </Fact>
        {FACTS.map((name) => (
          <FieldFact key={name} of={name} task={task} />
        ))}
      </Facts>
      <p>
        <a href={taskPath(row.id, "/history")}>History of this task</a>, where you can restore
        earlier versions
      </p>
      <TabList tabs={tabs} count={task.tab_count} />
      <NoteList notes={notes} count={task.note_count} />
    </Layout>
  );
};

type FieldFactProps = {
  readonly of: "status" | (typeof FACTS)[number];
  readonly task: TaskRow;
};

/** One field, where it has a value. */
const FieldFact = ({ of: name, task }: FieldFactProps) => {
  const value = valueText(name, task[name]);
  return value === null ? null : (
    <Fact label={TASK_FIELDS[name].label}>
      <FieldValue of={name} text={value} />
    </Fact>
  );
};

type FieldValueProps = { readonly of: FieldFactProps["of"]; readonly text: string };

/** The value of a field as the app shows it. */
const FieldValue = ({ of: name, text }: FieldValueProps) => {
  switch (name) {
    case "status":
      return <Shown text={statusName(text)} />;
    case "colour":
      return <Colour text={text} />;
    case "due":
      return <Day date={text} />;
    default:
      return <Shown text={text} />;
  }
};

type FolderNameProps = { readonly id: string; readonly folder: RecordRow | null };

const FolderName = ({ id, folder }: FolderNameProps) =>
  folder?.deletedAt === null ? (
    <a href={`/account/folders/${encodeURIComponent(id)}`}>
      <Shown text={recordName("sync_projects", folder.title)} />
    </a>
  ) : (
    <span class="quiet-text">not found</span>
  );
