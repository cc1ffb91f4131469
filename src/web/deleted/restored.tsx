import { Notice } from "../ui/fields.tsx";
import { Shown } from "../ui/shown.tsx";

type RestoredProps = {
  /** What was restored: `task:ID`, `folder:ID`, `bucket:ID`, or `all` of a push. */
  readonly record: string;
  /** The title of a task or folder that is there now. */
  readonly title: string | undefined;
};

/** Says what has just come back. An address can say so of anything: what is not there now is not named. */
export const RestoredNotice = ({ record, title }: RestoredProps) => {
  const [, kind, id] = /^(task|folder):(.+)$/s.exec(record) ?? [];
  if (record === "all")
    return (
      <Notice>
        What that push deleted is restored, but for what came back or was deleted again since, and
        what is not kept any more. Your devices take it at their next sync.
      </Notice>
    );
  if (title === undefined || id === undefined)
    return <Notice>It is restored. Your devices take it at their next sync.</Notice>;
  return (
    <Notice>
      The {kind}{" "}
      <a href={`/account/${kind}s/${encodeURIComponent(id)}`}>
        <Shown text={title || "(no title)"} />
      </a>{" "}
      is restored. Your devices take it at their next sync.
    </Notice>
  );
};
