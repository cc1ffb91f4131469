import type { Made } from "../../db/imports/batches.ts";
import type { FileImport } from "../../db/imports/journal.ts";
import { nameOfFormat } from "../../import/formats/names.ts";
import { count, Rows, Shown, Time } from "../ui/parts.tsx";

export const importPath = (id: number): string => `/account/import/${id}`;

/** What an import makes: "2 tasks, 1 tab". */
export const madeWords = ({ tasks, tabs, notes, folders }: Omit<Made, "known">): string => {
  const parts = [
    [tasks, "task"],
    [tabs, "tab"],
    [notes, "note"],
    [folders, "folder"],
  ] as const;
  const words = parts.flatMap(([number, noun]) => (number === 0 ? [] : [count(number, noun)]));
  return words.length === 0 ? "nothing" : words.join(", ");
};

/** The imports of an account, each with a link to its report. */
export const ImportsTable = ({ imports }: { readonly imports: readonly FileImport[] }) => (
  <Rows caption="Newest first" columns={["File", "When", "From", "Imported", "Status"]}>
    {imports.map((one) => (
      <tr key={one.id}>
        <th scope="row">
          <a href={importPath(one.id)}>
            <Shown text={one.name} />
          </a>
        </th>
        <td data-label="When">
          <Time at={one.startedAt} />
        </td>
        <td data-label="From">{nameOfFormat(one.format)}</td>
        <td data-label="Imported">{madeWords(one)}</td>
        <td data-label="Status">{stateOf(one)}</td>
      </tr>
    ))}
  </Rows>
);

const stateOf = ({ undoneAt, finishedAt }: FileImport) =>
  undoneAt !== null ? (
    <span class="badge plain">taken back</span>
  ) : finishedAt === null ? (
    <span class="badge bad">not finished</span>
  ) : (
    <span class="badge good">imported</span>
  );
