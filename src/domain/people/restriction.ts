import { Refusal } from "../base/refusal.ts";

/**
 * What a key is kept to; null is the whole account. Set when the key is made, never changed: some folders,
 * by their ids, or only the inbox.
 */
export type Restriction =
  { readonly kind: "folders"; readonly folders: readonly string[] } | { readonly kind: "inbox" };

/** Folders that one key may be kept to. */
export const MAX_FOLDERS = 50;

/** Whether a task in that folder (null for none) is within reach of who writes to tasks. */
export const reaches = (restriction: Restriction | null, folderId: string | null): boolean =>
  restriction === null ||
  (restriction.kind === "folders" && folderId !== null && restriction.folders.includes(folderId));

/** As it is stored. */
export const writeRestriction = (restriction: Restriction | null): string | null =>
  restriction && JSON.stringify(restriction.kind === "inbox" ? "inbox" : restriction.folders);

/** Reads what `writeLeash` wrote. What is not understood is a restriction that reaches nothing. */
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

/** A restriction as replies show it: with the ids of its folders, none for the inbox. */
export type ShownRestriction = {
  readonly kind: Restriction["kind"];
  readonly folders: readonly string[];
};

export const showRestriction = (restriction: Restriction | null): ShownRestriction | null =>
  restriction && {
    kind: restriction.kind,
    folders: restriction.kind === "folders" ? restriction.folders : [],
  };

/** A piece of a sentence: words of ours, or a name that others chose. */
type Piece = { readonly text: string; readonly isName: boolean };

const words = (text: string): Piece => ({ text, isName: false });

/**
 * Where a key that is kept to something works: `in the folder Work only`. `names` are those of the account's
 * folders, by id: one that is not among them was deleted. Empty for the whole account.
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
    ? words("(a deleted one)")
    : name === ""
      ? words("(one without a name)")
      : { text: name, isName: true };

/** What a key may be about to do, as far as its restriction alone can forbid it. */
export type RestrictedAction = "file into the inbox" | "make a folder" | "write to a task";

/**
 * Refuses what a restriction forbids whatever is sent. Which tasks are within reach, and which folder one may go
 * to, the database tells.
 */
export const checkRestriction = (restriction: Restriction | null, deed: RestrictedAction): void => {
  if (restriction === null || allows(restriction, deed)) return;
  throw new Refusal(
    "forbidden",
    restriction.kind === "inbox"
      ? "This key is kept to the inbox: it can file tabs there, and do nothing else. Nothing was changed."
      : `This key is kept to its folders: it cannot ${deed}. Nothing was changed.`,
  );
};

const allows = (restriction: Restriction, deed: RestrictedAction): boolean =>
  deed === (restriction.kind === "inbox" ? "file into the inbox" : "write to a task");
