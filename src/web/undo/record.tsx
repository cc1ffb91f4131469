import { shownName } from "../../domain/base/text.ts";
import { recordName } from "../../domain/base/record.ts";
import { FIELD_NAMES } from "../../domain/history/comparison.ts";
import { taskPath } from "../history/paths.ts";
import { shortened } from "../ui/excerpt.tsx";
import { Doer } from "../ui/sentence.tsx";
import { Shown } from "../ui/shown.tsx";
import { Time } from "../ui/time.tsx";
import type { NamedRecord, NamedUndoing } from "./records.ts";

/** What a key did to one task or folder, and what undoing does about each change. */
export const RecordCard = ({ of: record }: { readonly of: NamedRecord }) => {
  const isTask = record.table === "sync_tasks";
  return (
    <article class="card">
      <h3>
        {isTask ? "Task " : "Folder "}
        <a
          href={
            isTask
              ? taskPath(record.id, "/history")
              : `/account/folders/${encodeURIComponent(record.id)}`
          }
        >
          <Shown text={recordName(record.table, record.title)} />
        </a>
      </h3>
      <dl class="changes">
        {record.undoings.map((undoing, at) => (
          <Line key={at} of={undoing} noun={isTask ? "task" : "folder"} />
        ))}
      </dl>
    </article>
  );
};

const NAMES: Readonly<Record<NamedUndoing["what"], string>> = {
  ...FIELD_NAMES,
  made: "Created",
  note: "Note",
  tab: "Tab",
};

type LineProps = { readonly of: NamedUndoing; readonly noun: string };

const Line = ({ of: undoing, noun }: LineProps) => (
  <>
    <dt>{NAMES[undoing.what]}</dt>
    <dd>
      {undoing.state === "undone" ? (
        <Way of={undoing} noun={noun} />
      ) : (
        <Stays of={undoing} noun={noun} />
      )}{" "}
      <span class="quiet-text">
        <Time at={undoing.at} />
      </span>
    </dd>
  </>
);

/** What undoing it does. */
const Way = ({ of: { what, from, to }, noun }: LineProps) => {
  if (what === "made") return <>by the key. Undoing deletes the {noun}</>;
  if (what === "note" || what === "tab")
    return (
      <>
        <del>
          <Value of={what} text={to} />
        </del>{" "}
        is removed
      </>
    );
  return (
    <>
      from{" "}
      {to === null ? (
        "nothing"
      ) : (
        <del>
          <Value of={what} text={to} />
        </del>
      )}{" "}
      back to{" "}
      {from === null ? (
        "nothing"
      ) : (
        <ins>
          <Value of={what} text={from} />
        </ins>
      )}
    </>
  );
};

/** Why a change stays as it is. */
const Stays = ({ of: { what, to, state, changer }, noun }: LineProps) => (
  <>
    {what === "made" ? `by the key` : to === null ? "cleared" : <Value of={what} text={to} />}{" "}
    <span class="badge plain">{state === "gone" ? "already gone" : "stays"}</span>{" "}
    {state === "changed" && <Reason of={{ changer }} what={what} noun={noun} />}
  </>
);

type ReasonProps = {
  readonly of: Pick<NamedUndoing, "changer">;
  readonly what: NamedUndoing["what"];
  readonly noun: string;
};

const Reason = ({ of: { changer }, what, noun }: ReasonProps) => {
  if (changer === null)
    return noun === "folder" && what === "made" ? (
      <>others have put tasks into it</>
    ) : (
      <>it has been changed since</>
    );
  return (
    <>
      <Doer of={changer} /> later changed {what === "made" ? `the ${noun}` : "it"}
    </>
  );
};

type ValueProps = { readonly of: NamedUndoing["what"]; readonly text: string | null };

const Value = ({ of: what, text }: ValueProps) => (
  <Shown text={shownName(shortened(text ?? ""), what === "title" ? "Untitled" : "(empty)")} />
);
