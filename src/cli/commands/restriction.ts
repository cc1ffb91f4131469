import { type NamedFolder, nameFolders } from "../../db/records/folders.ts";
import type { Store } from "../../db/store.ts";
import {
  type Restriction,
  MAX_FOLDERS,
  describeRestriction,
} from "../../domain/people/restriction.ts";
import { UsageError } from "../../domain/base/usage.ts";
import type { Run } from "../command.ts";
import { short } from "./difference.ts";
import { plain } from "../table.ts";

/** The flags of `key create` that say what the key is kept to. Refused together. */
export const checkRestrictionFlags = (run: Run): void => {
  if (run.flag("folders") !== undefined && run.has("inbox-only"))
    throw new UsageError("Take one of these: --folders or --inbox-only.");
};

/** What the new key is kept to, null for the whole account. Refuses folders that the account does not have. */
export const restrictionOf = async (
  run: Run,
  store: Store,
  accountId: number,
): Promise<Restriction | null> => {
  if (run.has("inbox-only")) return { kind: "inbox" };
  const text = run.flag("folders");
  if (text === undefined) return null;
  const folders = [...new Set(readFolders(text, await nameFolders(store, accountId)))];
  if (folders.length > MAX_FOLDERS)
    throw new UsageError(`A key may be kept to at most ${MAX_FOLDERS} folders.`);
  return { kind: "folders", folders };
};

/**
 * The ids of the folders that a text with commas between names, by id or name. A name may hold commas, and two
 * folders may have one name: a text that can be read in two ways is refused, as one of them may be what
 * somebody else wanted, who made a folder of that name.
 */
const readFolders = (text: string, folders: readonly NamedFolder[]): readonly string[] => {
  const parts = text.split(",");
  const find = folderFinder(folders);
  const reads = Array.from({ length: parts.length + 1 }, (_, at): readonly Reading[] =>
    at === 0 ? [[]] : [],
  );
  for (const at of parts.keys())
    for (let end = at + 1; end <= parts.length && reads[at]?.length; end++)
      for (const id of find(parts.slice(at, end).join(",")))
        reads[end] = [...(reads[end] ?? []), ...(reads[at] ?? []).map((ids) => [...ids, id])].slice(
          0,
          2,
        );
  const [reading, other] = reads[parts.length] ?? [];
  if (!reading) throw unknown(parts[reads.findLastIndex((found) => found.length > 0)] ?? "");
  if (!other) return reading;
  throw new UsageError(
    "--folders can be read in more than one way: name each folder by its id, as `docket folder list` shows it.",
  );
};

type Reading = readonly string[];

/** The folder of an id, or else all those of a name; spaces around are passed over. */
const folderFinder = (folders: readonly NamedFolder[]) => {
  const ids = new Set(folders.map(({ id }) => id));
  const named = Map.groupBy(folders, ({ name }) => name.trim());
  return (text: string): readonly string[] => {
    const wanted = text.trim();
    if (wanted === "") return [];
    return ids.has(wanted) ? [wanted] : (named.get(wanted) ?? []).map(({ id }) => id);
  };
};

const unknown = (part: string): UsageError =>
  new UsageError(
    part.trim() === ""
      ? "--folders must be ids or names of folders, with commas between: `docket folder list` shows them."
      : `There is no folder "${plain(part.trim())}" in this account: \`docket folder list\` shows all.`,
  );

/** Where a key works, in words; empty for the whole account. */
export const restrictionWords = (
  restriction: Restriction | null,
  folders: readonly NamedFolder[],
): string =>
  describeRestriction(restriction, new Map(folders.map(({ id, name }) => [id, name])))
    .map(({ text, isName }) => (isName ? `"${plain(short(text))}"` : text))
    .join("");
