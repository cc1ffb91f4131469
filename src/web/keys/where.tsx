import { recordName } from "../../domain/base/record.ts";
import type { NamedFolder } from "../../domain/tasks/folder.ts";
import type { Problems } from "../shared/form.ts";
import { Shown } from "../ui/shown.tsx";
import { folderField, type TypedKey, WHERES } from "./typed.ts";

type WhereProps = {
  readonly typed: TypedKey;
  readonly problems: Problems;
  /** The account's live folders, the oldest first. */
  readonly folders: readonly NamedFolder[];
};

/** Chooses the restriction of a key. */
export const WhereChoice = ({ typed, problems, folders }: WhereProps) => {
  const problem = problems["where"];
  return (
    <fieldset class="field" aria-describedby={problem ? "where-problem" : undefined}>
      <legend>Where the key works</legend>
      {WHERES.map(([value, words]) => (
        <label key={value}>
          <input type="radio" name="where" value={value} checked={value === typed.where} />
          {words}
        </label>
      ))}
      {problem && (
        <p class="problem" id="where-problem">
          {problem}
        </p>
      )}
      <FolderBoxes typed={typed} problem={problems["folders"]} folders={folders} />
    </fieldset>
  );
};

/**
 * The most folders that can be ticked. Agents create folders too, so the oldest come first: new ones cannot
 * push others out.
 */
const MOST = 500;

type BoxesProps = Pick<WhereProps, "folders" | "typed"> & { readonly problem: string | undefined };

const FolderBoxes = ({ typed, problem, folders }: BoxesProps) => (
  <fieldset aria-describedby={problem ? "folders-problem" : undefined}>
    <legend>Folders</legend>
    {folders.length === 0 && <p class="hint">You have no folders yet.</p>}
    {folders.slice(0, MOST).map(({ id, name }) => (
      <label key={id}>
        <input
          type="checkbox"
          name={folderField(id)}
          value="yes"
          checked={typed.folders.includes(id)}
        />
        <Shown text={recordName("sync_projects", name)} />
      </label>
    ))}
    {folders.length > MOST && (
      <p class="hint">
        Only your {MOST} oldest folders are listed. To use others, run this command on the server:{" "}
        <code>docket key create --folders</code>
      </p>
    )}
    {problem && (
      <p class="problem" id="folders-problem">
        {problem}
      </p>
    )}
  </fieldset>
);
