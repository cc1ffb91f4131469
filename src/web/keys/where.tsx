import type { NamedFolder } from "../../db/records/folders.ts";
import type { Problems } from "../shared/form.ts";
import { Shown } from "../ui/shown.tsx";
import { folderField, type TypedKey, WHERES } from "./typed.ts";

type WhereProps = {
  readonly typed: TypedKey;
  readonly problems: Problems;
  /** The account's live folders, the oldest first. */
  readonly folders: readonly NamedFolder[];
};

/** Chooses what a key is kept to. */
export const WhereChoice = ({ typed, problems, folders }: WhereProps) => {
  const problem = problems["where"];
  return (
    <fieldset class="field" aria-describedby={problem ? "where-problem" : undefined}>
      <legend>Where</legend>
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

/** Folders that can be ticked. Agents make folders too: the oldest come first, so that none pushes others out. */
const MOST = 500;

type BoxesProps = Pick<WhereProps, "folders" | "typed"> & { readonly problem: string | undefined };

const FolderBoxes = ({ typed, problem, folders }: BoxesProps) => (
  <fieldset aria-describedby={problem ? "folders-problem" : undefined}>
    <legend>The folders</legend>
    {folders.length === 0 && <p class="hint">There is no folder yet.</p>}
    {folders.slice(0, MOST).map(({ id, name }) => (
      <label key={id}>
        <input
          type="checkbox"
          name={folderField(id)}
          value="yes"
          checked={typed.folders.includes(id)}
        />
        <Shown text={name || "(no name)"} />
      </label>
    ))}
    {folders.length > MOST && (
      <p class="hint">
        Only the {MOST} oldest are here. The others, where this server runs:{" "}
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
