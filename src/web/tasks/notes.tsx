import { Fragment } from "preact";
import type { Note } from "../../domain/tasks/children.ts";
import { Shown } from "../ui/shown.tsx";
import { instantOf, Made } from "./maker.tsx";
import { Rest } from "./rest.tsx";

type ListProps = {
  readonly notes: readonly Note[];
  /** How many notes the task has. */
  readonly count: number;
};

/** A task's notes, with who wrote each. */
export const NoteList = ({ notes, count }: ListProps) => {
  const drawn = drawnNotes(notes);
  return (
    <section>
      <h2>Notes ({count})</h2>
      {count === 0 && <p>No notes.</p>}
      {drawn.map(({ note, lines, hidden }, at) => (
        <article key={at} class="card">
          <p>
            <Lines of={lines} />
          </p>
          {hidden > 0 && <p class="quiet-text">{hidden} more characters are not shown.</p>}
          <Made by={note} at={instantOf(note.created_at)} />
        </article>
      ))}
      <Rest count={count - drawn.length} what="notes" />
    </section>
  );
};

/** What a page draws of all notes, in characters, and what a line costs on top: a device's note may be 1 MiB of line ends. */
const ROOM = 200_000;
const LINE = 40;

type Drawn = {
  readonly note: Note;
  readonly lines: readonly string[];
  readonly hidden: number;
};

/** The notes that fit on the page. Of the last one, perhaps only the beginning. */
const drawnNotes = (notes: readonly Note[]): readonly Drawn[] => {
  const drawn: Drawn[] = [];
  let room = ROOM;
  for (const note of notes) {
    if (room <= 0) break;
    const shown = note.text.slice(0, room);
    const lines = shown.split(/\r\n|[\n\r\u2028\u2029]/).slice(0, Math.ceil(room / LINE));
    const length = lines.reduce((sum, line) => sum + line.length + 1, -1);
    room -= length + lines.length * LINE;
    drawn.push({ note, lines, hidden: note.text.length - length });
  }
  return drawn;
};

const Lines = ({ of: lines }: { readonly of: readonly string[] }) => (
  <>
    {lines.map((line, at) => (
      <Fragment key={at}>
        {at > 0 && <br />}
        <Shown text={line} />
      </Fragment>
    ))}
  </>
);
