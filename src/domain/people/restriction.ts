import { Refusal } from "../base/refusal.ts";
import { isBlank } from "../base/text.ts";

/**
 * What a key is limited to: some folders, by id, or only the inbox. Null is the whole account. It
 * is set when the key is created and never changes.
 */
export type Restriction =
  { readonly kind: "folders"; readonly folders: readonly string[] } | { readonly kind: "inbox" };

/** How many folders a key can be restricted to. */
export const MAX_FOLDERS = 50;

/** Whether a task in that folder (null for none) is within reach of who writes to tasks. */
export const reaches = (restriction: Restriction | null, folderId: string | null): boolean =>
  restriction === null ||
  (restriction.kind === "folders" && folderId !== null && restriction.folders.includes(folderId));

/** Returns a restriction as it is stored: JSON text, or null for none. */
export const writeRestriction = (restriction: Restriction | null): string | null =>
  restriction && JSON.stringify(restriction.kind === "inbox" ? "inbox" : restriction.folders);

/**
 * Reads what `writeRestriction` wrote. Text that cannot be read becomes a restriction that reaches
 * nothing.
 */
export const readRestriction = (text: string | null): Restriction | null => {
  if (text === null) return null;
  if (text === '"inbox"') return { kind: "inbox" };
  return { kind: "folders", folders: folderIds(text) };
};

const folderIds = (text: string): readonly string[] => {
  try {
    const ids: unknown = JSON.parse(text);
    return Array.isArray(ids) && ids.every((id) => typeof id === "string") ? ids : [];
  } catch {
    return [];
  }
};

/** A restriction as replies show it, with its folders' ids; for the inbox the list is empty. */
export type ShownRestriction = {
  readonly kind: Restriction["kind"];
  readonly folders: readonly string[];
};

export const showRestriction = (restriction: Restriction | null): ShownRestriction | null =>
  restriction && {
    kind: restriction.kind,
    folders: restriction.kind === "folders" ? restriction.folders : [],
  };

/** Part of a sentence: Docket's own words, or a name that someone else chose. */
type Piece = { readonly text: string; readonly isName: boolean };

const words = (text: string): Piece => ({ text, isName: false });

/**
 * Says where a restricted key works: `in the folder Work only`. `names` maps the account's folder
 * ids to names; a folder without an entry was deleted. Empty for the whole account.
 */
export const describeRestriction = (
  restriction: Restriction | null,
  names: ReadonlyMap<string, string>,
): readonly Piece[] => {
  if (restriction === null) return [];
  if (restriction.kind === "inbox") return [words("in the inbox only")];
  const { folders } = restriction;
  if (folders.length === 0) return [words("in no folder")];
  const before = (at: number): string =>
    at === 0 ? "" : at === folders.length - 1 ? " and " : ", ";
  return [
    words(folders.length === 1 ? "in the folder " : "in the folders "),
    ...folders.flatMap((id, at) => [words(before(at)), nameOf(names.get(id))]),
    words(" only"),
  ];
};

const nameOf = (name: string | undefined): Piece =>
  name === undefined
    ? words("(deleted folder)")
    : isBlank(name)
      ? words("(unnamed folder)")
      : { text: name, isName: true };

/** What a key is about to do, as far as its restriction alone can forbid it. */
export type RestrictedAction = "file into the inbox" | "create a folder" | "write to a task";

/**
 * Refuses as `forbidden` what a restriction never allows, whatever the request contains. The
 * database decides which tasks and folders are within reach.
 */
export const checkRestriction = (
  restriction: Restriction | null,
  action: RestrictedAction,
): void => {
  if (restriction === null || allows(restriction, action)) return;
  throw new Refusal(
    "forbidden",
    restriction.kind === "inbox"
      ? "This key is restricted to the inbox, so it can only file tabs there. Nothing was changed."
      : `This key is restricted to its folders, so it cannot ${action}. Nothing was changed.`,
  );
};

const allows = (restriction: Restriction, action: RestrictedAction): boolean =>
  action === (restriction.kind === "inbox" ? "file into the inbox" : "write to a task");
