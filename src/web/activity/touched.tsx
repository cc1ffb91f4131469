import { Shown } from "../ui/shown.tsx";

/** The titles of records, by how the activity list names them (`task:ID`). */
export type Titles = ReadonlyMap<string, string>;

const RECORD_PATHS: ReadonlyMap<string, string> = new Map([
  ["task", "tasks"],
  ["folder", "folders"],
]);

/** The record that a call read or changed, with a link to its page. */
export const Touched = ({
  record,
  titles,
}: {
  readonly record: string | null;
  readonly titles: Titles;
}) => {
  if (record === null) return <span class="quiet-text">nothing</span>;
  const [kind = "", id = ""] = parted(record);
  const title = titles.get(record);
  const place = RECORD_PATHS.get(kind);
  if (place === undefined || !id.isWellFormed()) return <Shown text={record} />;
  return (
    <>
      {kind}{" "}
      <a href={`/account/${place}/${encodeURIComponent(id)}`}>
        <Shown text={title === undefined ? id : title || "(no title)"} />
      </a>
      {title === undefined && <span class="quiet-text"> not there now</span>}
    </>
  );
};

/** An id may hold colons of its own. */
const parted = (record: string): readonly string[] => {
  const at = record.indexOf(":");
  return [record.slice(0, at), record.slice(at + 1)];
};
