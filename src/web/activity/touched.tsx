import { recordName, tableOf } from "../../domain/base/record.ts";
import { appTaskPath } from "../history/told.tsx";
import { Shown, shownText } from "../ui/parts.tsx";

/** Titles of records, by the names that the activity list uses (`task:ID`). */
export type Titles = ReadonlyMap<string, string>;

const RECORD_PATHS: ReadonlyMap<string, string> = new Map([
  ["task", "tasks"],
  ["folder", "folders"],
]);

/** The record that a call read or changed, linked to its page; a task also to the app, which needs script. */
export const Touched = ({
  record,
  titles,
}: {
  readonly record: string;
  readonly titles: Titles;
}) => {
  const [kind = "", id = ""] = parted(record);
  const title = titles.get(record);
  const table = tableOf(kind);
  const name = title === undefined || table === null ? undefined : recordName(table, title);
  const place = RECORD_PATHS.get(kind);
  if (place === undefined || !id.isWellFormed()) return <Shown text={record} />;
  return (
    <>
      {kind}{" "}
      <a href={`/account/${place}/${encodeURIComponent(id)}`}>
        <Shown text={name ?? id} />
      </a>
      {name === undefined && <span class="quiet-text"> not found</span>}{" "}
      {kind === "task" && name !== undefined && (
        <>
          {"· "}
          <a href={appTaskPath(id)} aria-label={`Open ${shownText(name ?? "")}`}>
            Open
          </a>
        </>
      )}
    </>
  );
};

/** An id may contain colons itself. */
const parted = (record: string): readonly string[] => {
  const at = record.indexOf(":");
  return [record.slice(0, at), record.slice(at + 1)];
};
