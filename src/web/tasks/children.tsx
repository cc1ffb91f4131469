import type { Note, Tab } from "../../domain/tasks/children.ts";
import { Shown } from "../ui/parts.tsx";
import { instantOf, Made, Rest } from "./facts.tsx";
import { shortenedTo, shownName } from "../../domain/base/text.ts";
import { Fragment } from "preact";

type ListProps = {
  readonly tabs: readonly Tab[];
  /** How many tabs the task has. */
  readonly count: number;
};

/** A task's tabs in their order. With script, a button above them opens them all. */
export const TabList = ({ tabs, count }: ListProps) => (
  <section>
    <h2>Tabs ({count})</h2>
    {tabs.length === 0 ? (
      <p>No saved tabs.</p>
    ) : (
      <ol data-open-all="">
        {tabs.map((tab, at) => (
          <li key={at}>
            <TabLine of={tab} />
          </li>
        ))}
      </ol>
    )}
    <Rest count={count - tabs.length} what="tabs" />
  </section>
);

/** Only web addresses become links. Everything else is text, and can be neither run nor opened from here. */
const TabLine = ({ of: tab }: { readonly of: Tab }) => {
  const link = webLink(tab.url);
  const title = <Shown text={shownName(tab.title, shownName(tab.url))} />;
  return (
    <>
      {link ? (
        <a href={link.href} title={shortened(link.href)} target="_blank" rel="noopener noreferrer">
          {title}
        </a>
      ) : (
        title
      )}{" "}
      {link ? (
        <strong>{link.host}</strong>
      ) : (
        <>
          <span class="badge plain">not a web address</span>{" "}
          <span class="quiet-text">
            <Shown text={shortened(tab.url)} />
          </span>
        </>
      )}{" "}
      <Made by={tab} at={instantOf(tab.created_at)} />
    </>
  );
};

const LONGEST = 300;

const shortened = (url: string): string => shortenedTo(url.toWellFormed(), LONGEST);

type NotesProps = {
  readonly notes: readonly Note[];
  /** How many notes the task has. */
  readonly count: number;
};

/** A task's notes, with who wrote each. */
export const NoteList = ({ notes, count }: NotesProps) => {
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

/**
 * A saved address that a browser may open: a web address, as it was parsed, and the host that it leads to.
 */
type WebLink = { readonly href: string; readonly host: string };

/**
 * Null for anything that is not a web address (`javascript:`, `data:`, `file:`, ...). The address is judged
 * and linked as parsed, because browsers ignore spaces and line breaks that would hide a scheme from us. The
 * host is the real one, after any `user:password@`, with letters of other scripts written out (`xn--...`).
 */
const webLink = (url: string): WebLink | null => {
  const parsed = URL.parse(url);
  return parsed && /^https?:$/.test(parsed.protocol)
    ? { href: parsed.href, host: parsed.host }
    : null;
};
