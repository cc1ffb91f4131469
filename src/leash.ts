import { Refusal } from "./refusal.ts";

/**
 * What a key is kept to; null is the whole account. Set when the key is made, never changed: some folders,
 * by their ids, or only the inbox.
 */
export type Leash =
  { readonly kind: "folders"; readonly folders: readonly string[] } | { readonly kind: "inbox" };

/** Folders that one key may be kept to. */
export const MAX_FOLDERS = 50;

/** As it is stored. */
export const writeLeash = (leash: Leash | null): string | null =>
  leash && JSON.stringify(leash.kind === "inbox" ? "inbox" : leash.folders);

/** Reads what `writeLeash` wrote. What is not understood is a leash that reaches nothing. */
export const readLeash = (text: string | null): Leash | null => {
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

/** A leash as replies show it: with the ids of its folders, none for the inbox. */
export type ShownLeash = { readonly kind: Leash["kind"]; readonly folders: readonly string[] };

export const showLeash = (leash: Leash | null): ShownLeash | null =>
  leash && { kind: leash.kind, folders: leash.kind === "folders" ? leash.folders : [] };

/** A piece of a sentence: words of ours, or a name that others chose. */
type Piece = { readonly text: string; readonly isName: boolean };

const words = (text: string): Piece => ({ text, isName: false });

/**
 * Where a key that is kept to something works: `in the folder Work only`. `names` are those of the account's
 * folders, by id: one that is not among them was deleted. Empty for the whole account.
 */
export const tellLeash = (
  leash: Leash | null,
  names: ReadonlyMap<string, string>,
): readonly Piece[] => {
  if (leash === null) return [];
  if (leash.kind === "inbox") return [words("in the inbox only")];
  const { folders } = leash;
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
    : name === ""
      ? words("(unnamed folder)")
      : { text: name, isName: true };

/** What a key may be about to do, as far as its leash alone can forbid it. */
export type Deed = "file into the inbox" | "create a folder" | "write to a task";

/**
 * Refuses what a leash forbids whatever is sent. Which tasks are within reach, and which folder one may go
 * to, the database tells.
 */
export const checkLeash = (leash: Leash | null, deed: Deed): void => {
  if (leash === null || allows(leash, deed)) return;
  throw new Refusal(
    "forbidden",
    leash.kind === "inbox"
      ? "This key is restricted to the inbox, so it can only file tabs there. Nothing was changed."
      : `This key is restricted to its folders, so it cannot ${deed}. Nothing was changed.`,
  );
};

const allows = (leash: Leash, deed: Deed): boolean =>
  deed === (leash.kind === "inbox" ? "file into the inbox" : "write to a task");
