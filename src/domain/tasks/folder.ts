import type { Author } from "../people/account.ts";
import { formatInstant } from "../base/instant.ts";
import type { Payload } from "../base/payload.ts";
import { say, type Term } from "../base/message.ts";
import { invalid, type Refusal } from "../base/refusal.ts";
import { isSeen, shortenedTo } from "../base/text.ts";
import { columnField, type RecordMeta } from "./task.ts";

export const MAX_NAME = 200;

/** A folder (`project` on the wire) as its row holds it; lists add `task_count`. */
export type FolderRow = Author & {
  readonly id: string;
  readonly name: string;
  readonly colour: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly deleted_at: string | null;
};

export const folderName = (payload: Payload): string => columnField(payload, "name") ?? "";

export const folderRow = (meta: RecordMeta, payload: Payload): FolderRow => ({
  id: meta.id,
  name: folderName(payload),
  colour: columnField(payload, "colour"),
  ...meta.author,
  created_at: formatInstant(meta.createdAt),
  updated_at: formatInstant(meta.updatedAt),
  deleted_at: meta.deletedAt,
});

/** A folder as names are looked up. */
export type NamedFolder = { readonly id: string; readonly name: string };

/** Returns the folders with this name. Letters are equal whether their accents are composed or apart. */
export const foldersNamed = (
  folders: readonly NamedFolder[],
  name: string,
): readonly NamedFolder[] => {
  const sought = name.normalize("NFC");
  return folders.filter((folder) => folder.name.normalize("NFC") === sought);
};

/** The name of what a caller sent a folder in: a field, or a query parameter. */
export type SentAs = Term | string;

/**
 * Returns the id of the only folder with this name. Refuses a name that none has, and one that two have (422). Says which
 * names are nearest if the caller may read them.
 */
export const folderNamed = (
  folders: readonly NamedFolder[],
  name: string,
  sentAs: SentAs,
  mayRead: boolean,
): string => {
  const [found, ...more] = foldersNamed(folders, name);
  if (!found) throw noFolder(sentAs, mayRead ? nearestNames(folders, name) : []);
  if (more.length === 0) return found.id;
  const ids = [found, ...more].slice(0, MOST_IDS).map(({ id }) => id);
  throw invalid(
    say`${sentAs} is the name of more than one folder. Send the id of one: ${ids.join(" or ")}.`,
  );
};

const noFolder = (sentAs: SentAs, near: readonly string[]): Refusal => {
  const names = near.map((name) => `"${name}"`).join(", ");
  return invalid(
    say`${sentAs} does not match any folder in this account. Send an id or exact name from ${{ call: "listFolders" }}.${near.length === 0 ? "" : ` The nearest: ${names}.`}`,
  );
};

/** Ids that a refusal names. */
const MOST_IDS = 5;

/** Names that are compared, and characters of each: a list of folders may be long, and a name too. */
const [COMPARED, LOOKED_AT] = [1_000, 60];
const MOST_NEAR = 3;

/** Returns the up to three names that are most like a text, the most similar first. */
const nearestNames = (folders: readonly NamedFolder[], text: string): readonly string[] => {
  const sought = pairsOf(text);
  return folders
    .filter(({ name }) => isSeen(name))
    .slice(0, COMPARED)
    .map(({ name }) => ({
      name: shortenedTo(name, LOOKED_AT),
      like: likeness(sought, pairsOf(name)),
    }))
    .toSorted((a, b) => b.like - a.like)
    .slice(0, MOST_NEAR)
    .map(({ name }) => name);
};

/** The pairs of neighbouring letters, with the ends of the text, whatever their case and accents. */
const pairsOf = (text: string): ReadonlySet<string> => {
  const plain = ` ${text.slice(0, LOOKED_AT).normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase().trim()} `;
  return new Set(Array.from({ length: plain.length - 1 }, (_, at) => plain.slice(at, at + 2)));
};

/** From 0, nothing in common, to 1. */
const likeness = (one: ReadonlySet<string>, other: ReadonlySet<string>): number =>
  (2 * one.intersection(other).size) / (one.size + other.size);
