import { useEffect } from "preact/hooks";
import type { NoteView, TaskView } from "../../client/views.ts";
import { handOver } from "../acts/act.ts";
import { dropNote, rewriteNote, writeNote } from "../acts/notes.ts";
import { nameOf } from "../acts/tabs.ts";
import { MAX_NOTE } from "../../domain/tasks/task.ts";
import { keyOf } from "../keys/meaning.ts";
import { Editable } from "../parts/editable.tsx";
import { TooLong } from "../parts/field-note.tsx";
import { Favicon } from "../parts/favicon.tsx";
import { linksIn } from "../words/drafts.ts";
import { Icon } from "../parts/marks.tsx";
import { typedIn } from "../state/typed.ts";
import { momentWords } from "../words/dates.ts";

/** The task's notes, edited in place. */
export const Notes = ({ task }: { readonly task: TaskView }) => (
  <section class="notes" aria-label="Notes">
    <header>
      <h2>Notes {task.notes.length > 0 && <span class="number">{task.notes.length}</span>}</h2>
    </header>
    {task.notes.map((note) => (
      <Note key={nameOf(note)} task={task} note={note} />
    ))}
    {(task.deletedAt === null || typedIn(`note ${task.id}`).value !== "") && (
      <NewNote task={task} />
    )}
  </section>
);

const Note = ({ task, note }: { readonly task: TaskView; readonly note: NoteView }) => (
  <article class="note">
    <Editable
      place={`text ${task.id} ${nameOf(note)}`}
      label="Note"
      lines
      value={note.text}
      max={MAX_NOTE}
      locked={task.deletedAt !== null}
      save={(typed) => rewriteNote(task.id, note, typed)}
    />
    <NoteLinks text={note.text} />
    <footer>
      {note.madeBy.author === "agent" && (
        <span class="fact">
          <Icon name="bot" size={14} /> {note.madeBy.key ?? "agent"}
        </span>
      )}
      {note.addedAt !== null && (
        <time dateTime={note.addedAt} title={momentWords(note.addedAt, true)}>
          {momentWords(note.addedAt)}
        </time>
      )}
      <span class="spring" />
      <button
        type="button"
        class="icon-button small"
        aria-label="Remove the note"
        onClick={() => void dropNote(task.id, note)}
      >
        <Icon name="trash" size={14} />
      </button>
    </footer>
  </article>
);

/** The addresses in a note, as links, each once. */
const NoteLinks = ({ text }: { readonly text: string }) => {
  const links = [...new Map(linksIn(text).map((link) => [link.url, link])).values()];
  if (links.length === 0) return null;
  return (
    <ul class="note-links" aria-label="Links in the note">
      {links.map(({ url, title }) => (
        <li key={url}>
          <a href={url} target="_blank" rel="noopener noreferrer" dir="auto" title={url}>
            <Favicon url={url} />
            <span>{title ?? url.replace(/^https?:\/\//, "")}</span>
          </a>
        </li>
      ))}
    </ul>
  );
};

/**
 * A note is added with Ctrl+Enter, or when the field is left or taken away. One that could not be saved is there when
 * the task is opened again.
 */
const NewNote = ({ task }: { readonly task: TaskView }) => {
  const text = typedIn(`note ${task.id}`);
  const add = async (): Promise<void> => {
    if (text.value.trim() !== "") await handOver(text, (note) => writeNote(task.id, note.trim()));
  };
  useEffect(() => () => void add(), []);
  return (
    <>
      <textarea
        class="editable new-note"
        rows={1}
        aria-label="Add a note"
        placeholder="Add a note"
        dir="auto"
        value={text.value}
        onInput={(event) => {
          const area = event.currentTarget;
          text.value = area.value;
          area.style.height = "auto";
          area.style.height = `${area.scrollHeight}px`;
        }}
        onBlur={() => void add()}
        onKeyDown={(event) => {
          if (keyOf(event) === "Escape") event.currentTarget.blur();
          if (keyOf(event) !== "Enter" || !(event.metaKey || event.ctrlKey)) return;
          event.preventDefault();
          void add();
        }}
      />
      <TooLong by={text.value.length - MAX_NOTE} />
    </>
  );
};
