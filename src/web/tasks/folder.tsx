import type { RecordRow } from "../../db/records.ts";
import { type FolderTask, listFolderTasks, readRecord } from "../../db/shown.ts";
import { deserialise } from "../../payload.ts";
import { notFound } from "../../refusal.ts";
import { columnField } from "../../task.ts";
import { isRecordId } from "../../text.ts";
import type { SignedInAsk } from "../ask.ts";
import { html, type PageReply } from "../reply.tsx";
import { Layout } from "../ui/layout.tsx";
import { Shown, shownText } from "../ui/shown.tsx";
import { Facts } from "./facts.tsx";
import { showGone } from "./gone.tsx";

/** The most tasks that the page lists, those changed most recently. */
const MOST = 200;

/** `GET /account/folders/:id`: a folder and its open tasks. */
export const getFolder = async (ask: SignedInAsk): Promise<PageReply> => {
  const { store, pathId } = ask;
  const { account } = ask.who;
  const row = isRecordId(pathId)
    ? await readRecord(store, account.id, "sync_projects", pathId)
    : null;
  if (!row) throw notFound("folder");
  if (row.deletedAt !== null) return showGone(account, "folder", row);
  const tasks = await listFolderTasks(store, account.id, row.id, MOST + 1);
  return html(<FolderPage ask={ask} row={row} tasks={tasks} />);
};

type FolderProps = {
  readonly ask: SignedInAsk;
  readonly row: RecordRow;
  readonly tasks: readonly FolderTask[];
};

const FolderPage = ({ ask, row, tasks }: FolderProps) => (
  <Layout
    title={shownText(row.title) || "(no name)"}
    account={ask.who.account}
    at="/account/activity"
  >
    <Facts row={row} colour={columnField(deserialise(row.payload), "colour")} />
    <section>
      <h2>Open tasks</h2>
      {tasks.length === 0 && <p>This folder has no open tasks.</p>}
      <ul>
        {tasks.slice(0, MOST).map(({ id, title, status }) => (
          <li key={id}>
            <a href={`/account/tasks/${encodeURIComponent(id)}`}>
              <Shown text={title || "(no title)"} />
            </a>{" "}
            <span class="quiet-text">
              <Shown text={status ?? ""} />
            </span>
          </li>
        ))}
      </ul>
      {tasks.length > MOST && (
        <p class="quiet-text">Only the {MOST} most recently changed tasks are shown.</p>
      )}
    </section>
  </Layout>
);
