import type { RecordRow } from "../../db/records.ts";
import { readRecord } from "../../db/shown.ts";
import { taskChildren } from "../../db/task.ts";
import { deserialise } from "../../payload.ts";
import { notFound } from "../../refusal.ts";
import { readTask } from "../../task.ts";
import { isRecordId } from "../../text.ts";
import type { SignedInAsk } from "../ask.ts";
import { taskPath } from "../history/paths.ts";
import { html, type PageReply } from "../reply.tsx";
import { Notice } from "../ui/fields.tsx";
import { Layout } from "../ui/layout.tsx";
import { Shown, shownText } from "../ui/shown.tsx";
import { Facts } from "./facts.tsx";
import { showGone } from "./gone.tsx";
import { NoteList } from "./notes.tsx";
import { TabList } from "./tabs.tsx";

/** `GET /account/tasks/:id`: a task with its tabs and notes, and who created each. */
export const getTask = async (ask: SignedInAsk): Promise<PageReply> => {
  const { account } = ask.who;
  const row = isRecordId(ask.pathId)
    ? await readRecord(ask.store, account.id, "sync_tasks", ask.pathId)
    : null;
  if (!row) throw notFound("task");
  if (row.deletedAt !== null) return showGone(account, "task", row);
  const folder = await folderOf(ask, row);
  return html(<TaskPage ask={ask} row={row} folder={folder} />);
};

const folderOf = async (ask: SignedInAsk, { folderId }: RecordRow): Promise<RecordRow | null> =>
  folderId === null ? null : readRecord(ask.store, ask.who.account.id, "sync_projects", folderId);

type TaskProps = {
  readonly ask: SignedInAsk;
  readonly row: RecordRow;
  readonly folder: RecordRow | null;
};

const TaskPage = ({ ask, row, folder }: TaskProps) => {
  const { title, status, colour } = readTask(deserialise(row.payload));
  const { tabs, notes } = taskChildren(row);
  return (
    <Layout
      title={shownText(title) || "(no title)"}
      account={ask.who.account}
      at="/account/activity"
    >
      {row.trashed === 1 && (
        <Notice>
          This task is in the trash, so no API key can change it. You can restore it in the
          extension or under <a href="/account/deleted">Deleted</a>.
        </Notice>
      )}
      <Facts row={row} colour={colour}>
        <dt>Status</dt>
        <dd>
          <Shown text={status} />
        </dd>
        <dt>Folder</dt>
        <dd>{row.folderId === null ? "none" : <FolderName id={row.folderId} folder={folder} />}</dd>
      </Facts>
      <p>
        <a href={taskPath(row.id, "/history")}>History of this task</a>, where you can restore
        earlier versions
      </p>
      <TabList tabs={tabs} />
      <NoteList notes={notes} />
    </Layout>
  );
};

type FolderNameProps = { readonly id: string; readonly folder: RecordRow | null };

const FolderName = ({ id, folder }: FolderNameProps) =>
  folder?.deletedAt === null ? (
    <a href={`/account/folders/${encodeURIComponent(id)}`}>
      <Shown text={folder.title || "(no name)"} />
    </a>
  ) : (
    <span class="quiet-text">not found</span>
  );
