import { recordName } from "../../domain/base/record.ts";
import { Notice } from "../ui/fields.tsx";
import { Shown } from "../ui/shown.tsx";

type RestoredProps = {
  /** What was restored: `task:ID`, `folder:ID`, `bucket:ID`, or `all` that one push deleted. */
  readonly record: string;
  /** The title of a task or folder that exists now. */
  readonly title: string | undefined;
};

/** Says what was just restored. An address can claim this of anything, so only what exists now is named. */
export const RestoredNotice = ({ record, title }: RestoredProps) => {
  const [, kind, id] = /^(task|folder):(.+)$/s.exec(record) ?? [];
  if (record === "all")
    return (
      <Notice>
        Everything that was deleted at once is restored, except what has since been restored or
        deleted again, and what is no longer kept. Your devices get it at their next sync.
      </Notice>
    );
  if (title === undefined || id === undefined)
    return <Notice>Restored. Your devices get it at their next sync.</Notice>;
  return (
    <Notice>
      The {kind}{" "}
      <a href={`/account/${kind}s/${encodeURIComponent(id)}`}>
        <Shown text={recordName(kind === "folder" ? "sync_projects" : "sync_tasks", title)} />
      </a>{" "}
      is restored. Your devices get it at their next sync.
    </Notice>
  );
};
