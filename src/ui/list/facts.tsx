import type { ComponentChildren } from "preact";
import { matchIn } from "../../client/search.ts";
import { recordName } from "../../domain/base/record.ts";
import { taskName, type TaskView } from "../../client/views.ts";
import { keepTask, undoAgents } from "../acts/agents.ts";
import { favicons } from "../parts/favicon.tsx";
import { FolderIcon, Icon } from "../parts/marks.tsx";
import { Due } from "../parts/due.tsx";
import { foldersById, tasksWithLost } from "../state/client.ts";
import { searchText } from "../state/lists.ts";
import { isNewFromAgents } from "../state/looked.ts";
import { show } from "../state/overlay.ts";
import { route } from "../state/route.ts";
import { count, tinted } from "../words/names.ts";
import { marked } from "./marked.tsx";
import { momentWords, timeWords } from "../words/dates.ts";

/** What stands at the right of a row. */
export const Facts = ({ task }: { readonly task: TaskView }) => {
  const { view } = route.value;
  const folder = task.folderId === null ? null : foldersById.value.get(task.folderId);
  return (
    <span class="facts">
      {view === "agents" && <AgentFacts task={task} />}
      {view === "search" && <Match task={task} />}
      {tasksWithLost.value.has(task.id) &&
        fact(
          "A title in it was changed in two places",
          <Icon name="triangle-alert" size={14} />,
          "conflict",
        )}
      {task.tags.slice(0, 3).map((tag) => (
        <span key={tag} class="tag" {...tinted(tag)}>
          {tag}
        </span>
      ))}
      {folder && view !== "folder" && (
        <span class="in-folder">
          <FolderIcon colour={folder.colour} size={14} />
          <span>{recordName("sync_projects", folder.name)}</span>
        </span>
      )}
      {notesFact(task)}
      {tabsFact(task)}
      {task.madeBy.author === "agent" &&
        view !== "agents" &&
        fact(`Made by ${task.madeBy.key ?? "an agent"}`, <Icon name="bot" size={14} />)}
      {task.due !== null && <Due due={task.due} closed={view === "done"} />}
      {view === "done" && (
        <time class="due" dateTime={task.updatedAt}>
          {timeWords(task.updatedAt)}
        </time>
      )}
      {view === "trash" && (
        <time class="due" dateTime={task.updatedAt}>
          {momentWords(task.deletedAt ?? task.updatedAt)}
        </time>
      )}
    </span>
  );
};

export const notesFact = ({ notes: { length } }: TaskView) =>
  length > 0 &&
  fact(
    count(length, "note"),
    <>
      <Icon name="sticky-note" size={14} />
      {length}
    </>,
  );

export const tabsFact = ({ tabs }: TaskView) =>
  tabs.length > 0 &&
  fact(
    count(tabs.length, "tab"),
    <>
      {favicons(tabs)}
      {tabs.length}
    </>,
  );

/**
 * A mark beside a task, with what it means for those who do not see it. A function and no component: long lists draw
 * thousands of them.
 */
const fact = (says: string, shown: ComponentChildren, kind = "") => (
  <span class={`fact ${kind}`} role="img" aria-label={says} title={says}>
    {shown}
  </span>
);

/** The tab or note that a search found. */
const Match = ({ task }: { readonly task: TaskView }) => {
  const match = matchIn(task, searchText.value);
  if (match === null) return null;
  return (
    <span class="match">
      <Icon name={match.kind === "tab" ? "globe" : "sticky-note"} size={14} />
      <span dir="auto">{marked(match.text)}</span>
    </span>
  );
};

const AgentFacts = ({ task }: { readonly task: TaskView }) => {
  const filed = task.tabs.filter(({ madeBy }) => madeBy.author === "agent").length;
  const isNew = isNewFromAgents(task);
  const key = task.madeBy.key ?? task.tabs.find(({ madeBy }) => madeBy.key !== null)?.madeBy.key;
  return (
    <>
      {isNew && <span class="badge">New</span>}
      <span class="soft by-agent">
        {task.madeBy.author === "agent" ? "made by " : filed > 0 ? "filed by " : "changed by "}
        {key ?? "an agent"}, {momentWords(task.updatedAt)}
      </span>
      {isNew && (
        <span class="row-acts">
          <button
            type="button"
            class="link"
            aria-label={`Keep ${taskName(task)}`}
            onClick={() => keepTask(task)}
          >
            <Icon name="check" size={14} /> <span>Keep</span>
          </button>
          <button
            type="button"
            class="link move"
            aria-label={`Move ${taskName(task)}`}
            onClick={() => show({ kind: "move-tasks", ids: [task.id] })}
          >
            <Icon name="folder" size={14} /> <span>Move</span>
          </button>
          <button
            type="button"
            class="link"
            aria-label={`Undo ${taskName(task)}`}
            onClick={() => void undoAgents(task)}
          >
            <Icon name="undo-2" size={14} /> <span>Undo</span>
          </button>
        </span>
      )}
    </>
  );
};
