import type { NamedFolder } from "../../db/folders.ts";
import { type Leash, tellLeash } from "../../leash.ts";
import { Shown } from "../ui/shown.tsx";

type LeashProps = {
  readonly of: Leash | null;
  /** The account's live folders. */
  readonly folders: readonly NamedFolder[];
};

/**
 * What a key is limited to, in words; nothing if it works in the whole account. Folder names are chosen by
 * others.
 */
export const Where = ({ of: leash, folders }: LeashProps) => (
  <>
    {tellLeash(leash, new Map(folders.map(({ id, name }) => [id, name]))).map(
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
