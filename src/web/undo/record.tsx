import { shownName } from "../../domain/base/text.ts";
import { recordName } from "../../domain/base/record.ts";
import { FIELD_NAMES, withNames } from "../../domain/history/comparison.ts";
import { taskPath } from "../history/told.tsx";
import { shortened } from "../ui/excerpt.tsx";
import { Doer, Shown, Time } from "../ui/parts.tsx";
import { readContainerNames, readNames } from "../../db/history/walk.ts";
import type { UndoneRecord } from "../../db/history/undo.ts";
import { type Names, type Who, whoIs } from "../../domain/history/event.ts";
import type { Instant } from "../../domain/base/instant.ts";
import type { Undoing } from "../../domain/history/undo.ts";
import type { SignedInContext } from "../shared/page.ts";

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
  if (what === "tab" && to === null)
    return (
      <>
        <ins>
          <Value of={what} text={from} />
        </ins>{" "}
        is moved back
      </>
    );
  if ((what === "note" || what === "tab") && from === null)
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
const Stays = ({ of: { what, from, to, state, changer }, noun }: LineProps) => (
  <>
    <Now of={{ what, from, to }} />{" "}
    <span class="badge plain">{state === "gone" ? "already gone" : "stays"}</span>{" "}
    {state === "changed" && <Reason of={{ changer }} what={what} noun={noun} />}
  </>
);

type NowProps = { readonly of: Pick<NamedUndoing, "from" | "to" | "what"> };

/** What the key made of it. */
const Now = ({ of: { what, from, to } }: NowProps) => {
  if (what === "made") return <>by the key</>;
  if (what === "tab" && to === null)
    return (
      <>
        <Value of={what} text={from} /> moved away
      </>
    );
  return to === null ? <>cleared</> : <Value of={what} text={to} />;
};

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

/** One thing that a key did, with the names of everyone involved. */
type NamedUndoing = Undoing & {
  /** Who changed it since; null if nobody did, or if nobody can be named. */
  readonly changer: Who | null;
};

export type NamedRecord = Omit<UndoneRecord, "undoings"> & {
  readonly undoings: readonly NamedUndoing[];
};

/** What would be undone, since when, and up to which version the person has looked. */
export type Plan = {
  readonly since: Instant;
  readonly upTo: number;
  readonly records: readonly NamedRecord[];
  /** Versions from before this instant may be missing; null if none are. */
  readonly missing: Instant | null;
};

/** Adds the names of folders, buckets, keys and devices to what would be undone. */
export const nameRecords = async (
  { store, who }: SignedInContext,
  records: readonly UndoneRecord[],
): Promise<readonly NamedRecord[]> => {
  if (records.length === 0) return [];
  const names = await readNames(store, who.account.id);
  const moves = records.flatMap(({ undoings }) => undoings.map(moveOf));
  const places = await readContainerNames(store, who.account.id, moves);
  return records.map((record) => ({
    ...record,
    undoings: record.undoings.map((undoing) => ({
      ...undoing,
      ...withNames(moveOf(undoing), places),
      changer: changerOf(undoing, names),
    })),
  }));
};

const moveOf = ({ what, from, to }: Undoing) => ({ field: what, from, to });

const changerOf = ({ changedBy }: Undoing, names: Names): Who | null =>
  changedBy && whoIs(changedBy.kind, changedBy.id, names);
