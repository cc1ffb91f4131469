import type { DeletedRecord } from "../../db/history/deleted.ts";
import { type Names, whoIs } from "../../domain/history/event.ts";
import { readChildren } from "../../domain/tasks/children.ts";
import { taskPath } from "../history/told.tsx";
import { count, Doer, Rows, Shown, shownText, Time } from "../ui/parts.tsx";
import { shortened } from "../ui/excerpt.tsx";
import { KINDS, recordName } from "../../domain/base/record.ts";

type TableProps = { readonly rows: readonly DeletedRecord[]; readonly names: Names };

/** Deleted and trashed records, each with a button to restore it if its contents are still kept. */
export const DeletedTable = ({ rows, names }: TableProps) => (
  <Rows
    caption="Newest first"
    columns={["Title", "Type", "Status", "When", "By", "Contents", "Actions"]}
  >
    {rows.map((row) => (
      <DeletedRow key={`${row.table} ${row.id}`} of={row} names={names} />
    ))}
  </Rows>
);

type RowProps = { readonly of: DeletedRecord; readonly names: Names };

const DeletedRow = ({ of: gone, names }: RowProps) => (
  <tr>
    <th scope="row">
      <Title of={gone} />
    </th>
    <td data-label="Type">{KINDS[gone.table]}</td>
    <td data-label="Status">
      <span class="badge plain">{gone.how === "deleted" ? "deleted" : "in the trash"}</span>
    </td>
    <td data-label="When">
      <Time at={gone.at} />
    </td>
    <td data-label="By">
      <Doer of={whoIs(gone.byKind, gone.byId, names)} />
    </td>
    <td data-label="Contents">{contentOf(gone)}</td>
    <td data-label="Actions">
      {gone.payload === null ? (
        <span class="quiet-text">Its contents are no longer kept.</span>
      ) : (
        <RestoreButton of={gone} />
      )}
    </td>
  </tr>
);

const Title = ({ of: { table, id, title } }: { readonly of: DeletedRecord }) => {
  const text = <Shown text={recordName(table, shortened(title))} />;
  return table === "sync_tasks" ? <a href={taskPath(id, "/history")}>{text}</a> : text;
};

const contentOf = ({ table, payload }: DeletedRecord): string => {
  if (table !== "sync_tasks" || payload === null) return "–";
  const { tabs, notes } = readChildren(payload, []);
  return `${count(tabs.length, "tab")}, ${count(notes.length, "note")}`;
};

const RestoreButton = ({ of: { table, id, title } }: { readonly of: DeletedRecord }) => (
  <form method="post" action="/account/deleted/restore">
    <input type="hidden" name="kind" value={KINDS[table]} />
    <input type="hidden" name="id" value={id} />
    <button aria-label={`Restore ${shownText(recordName(table, shortened(title)))}`}>
      Restore
    </button>
  </form>
);
