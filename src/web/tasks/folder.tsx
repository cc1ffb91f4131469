import { recordName } from "../../domain/base/record.ts";
import type { RecordRow } from "../../domain/records/row.ts";
import { type FolderTask, listFolderTasks, readRecord } from "../../db/records/lookup.ts";
import { deserialise } from "../../domain/base/payload.ts";
import { notFound } from "../../domain/base/refusal.ts";
import { columnField, DEFAULT_STATUS, statusName } from "../../domain/tasks/task.ts";
import { isRecordId } from "../../domain/base/text.ts";
import type { SignedInContext } from "../shared/page.ts";
import { html, type PageReply } from "../shared/reply.tsx";
import { Layout } from "../ui/layout.tsx";
import { Colour, Shown, shownText } from "../ui/parts.tsx";
import { Fact, Facts, showDeleted } from "./facts.tsx";

/** The most tasks that the page lists, those changed most recently. */
const MOST = 200;

/** `GET /account/folders/:id`: a folder and its open tasks. */
export const getFolder = async (context: SignedInContext): Promise<PageReply> => {
  const { store, pathId } = context;
  const { account } = context.who;
  const row = isRecordId(pathId)
    ? await readRecord(store, account.id, "sync_projects", pathId)
    : null;
  if (!row) throw notFound("folder");
  if (row.deletedAt !== null) return showDeleted(account, "folder", row);
  const tasks = await listFolderTasks(store, account.id, row.id, MOST + 1);
  return html(<FolderPage context={context} row={row} tasks={tasks} />);
};

type FolderProps = {
  readonly context: SignedInContext;
  readonly row: RecordRow;
  readonly tasks: readonly FolderTask[];
};

const FolderPage = ({ context, row, tasks }: FolderProps) => {
  const colour = columnField(deserialise(row.payload), "colour");
  return (
    <Layout
      title={shownText(recordName("sync_projects", row.title))}
      account={context.who.account}
      at="/tasks"
      action={
        <a class="button main" href={`/tasks/folder/${encodeURIComponent(row.id)}`}>
          Open this folder
        </a>
      }
    >
      <Facts row={row}>
        {colour !== null && (
          <Fact label="Colour">
            <Colour text={colour} />
          </Fact>
        )}
      </Facts>
      <section>
        <h2>Open tasks</h2>
        {tasks.length === 0 && <p>This folder has no open tasks.</p>}
        <ul>
          {tasks.slice(0, MOST).map(({ id, title, status }) => (
            <li key={id}>
              <a href={`/account/tasks/${encodeURIComponent(id)}`}>
                <Shown text={recordName("sync_tasks", title)} />
              </a>{" "}
              <span class="quiet-text">
                <Shown text={statusName(status ?? DEFAULT_STATUS)} />
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
};
