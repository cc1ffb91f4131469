import { Fragment } from "preact";
import type { Note } from "../../domain/tasks/children.ts";
import { Shown } from "../ui/shown.tsx";
import { instantOf, Made } from "./maker.tsx";
import { Rest } from "./rest.tsx";

const MOST = 1_000;

/** A task's notes, with who wrote each. */
export const NoteList = ({ notes }: { readonly notes: readonly Note[] }) => (
  <section>
    <h2>Notes ({notes.length})</h2>
    {notes.length === 0 && <p>No notes.</p>}
    {notes.slice(0, MOST).map((note, at) => (
      <article key={at} class="card">
        <p>
          <Lines text={note.text} />
        </p>
        <Made by={note} at={instantOf(note.created_at)} />
      </article>
    ))}
    <Rest count={notes.length - MOST} what="notes" />
  </section>
);

const Lines = ({ text }: { readonly text: string }) => (
  <>
    {text.split(/\r\n|[\n\r\u2028\u2029]/).map((line, at) => (
      <Fragment key={at}>
        {at > 0 && <br />}
        <Shown text={line} />
      </Fragment>
    ))}
  </>
);
