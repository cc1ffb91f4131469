import type { NamedFolder } from "../../domain/tasks/folder.ts";
import { describeRestriction, type Restriction } from "../../domain/people/api-key.ts";
import { Shown } from "../ui/shown.tsx";

type RestrictionProps = {
  readonly of: Restriction | null;
  /** The account's live folders. */
  readonly folders: readonly NamedFolder[];
};

/**
 * What a key is limited to, in words; nothing if it works in the whole account. Folder names are chosen by
 * others.
 */
export const Where = ({ of: restriction, folders }: RestrictionProps) => (
  <>
    {describeRestriction(restriction, new Map(folders.map(({ id, name }) => [id, name]))).map(
      ({ text, isName }, at) =>
        isName ? (
          <span key={at}>
            “<Shown text={text} />”
          </span>
        ) : (
          text
        ),
    )}
  </>
);
