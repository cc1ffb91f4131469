import { DAY, HOUR, type Instant, MINUTE } from "../base/instant.ts";
import { Refusal } from "../base/refusal.ts";
import { isBlank } from "../base/text.ts";

/** A `docket_live_` key. Revoked keys are kept, because the activity list names them. */
export type ApiKey = {
  readonly id: string;
  readonly accountId: number;
  readonly name: string;
  readonly hint: string;
  readonly scopes: readonly Scope[];
  readonly restriction: Restriction | null;
  readonly createdAt: Instant;
  readonly expiresAt: Instant | null;
  readonly lastUsedAt: Instant | null;
  readonly revokedAt: Instant | null;
  /** The id of the key that replaced it. */
  readonly replacedBy: string | null;
  /** What counts against its share of the history, in bytes. */
  readonly historySize: number;
  /** Whether a person reviews what it creates. */
  readonly review: boolean;
  /** The program that got it by a person's consent, and where that was sent back to; null for a key that a person made. */
  readonly client: string | null;
};

/** How many live keys an account may have. This bounds the limiter's memory. */
export const MAX_LIVE_KEYS = 50;
/** How long a key lives unless its owner says otherwise, in ms. */
export const DEFAULT_EXPIRY = 90 * DAY;

export const isKeyLive = (key: Pick<ApiKey, "expiresAt" | "revokedAt">, now: Instant): boolean =>
  key.revokedAt === null && (key.expiresAt === null || key.expiresAt > now);

/** A key's state. A replaced key is `live` for as long as it still works. */
export type KeyState = "expired" | "live" | "replaced" | "revoked";

export const keyState = (key: ApiKey, now: Instant): KeyState => {
  if (isKeyLive(key, now)) return "live";
  if (key.replacedBy !== null) return "replaced";
  return key.revokedAt === null ? "expired" : "revoked";
};

/** Returns why a key cannot be replaced, or null if it can. */
export const replaceRefusal = (key: ApiKey, now: Instant): string | null => {
  if (key.replacedBy !== null)
    return "This key has already been replaced. Replace its successor instead, or create a new key.";
  const state = keyState(key, now);
  if (state === "expired") return "This key has expired. Create a new key instead.";
  return state === "revoked" ? "This key has been revoked. Create a new key instead." : null;
};

/**
 * Returns the fields of a key's successor: the same name, scopes and restriction, and the same
 * lifetime, counted from now.
 */
export const successorOf = (
  { name, scopes, restriction, review, client, createdAt, expiresAt }: ApiKey,
  now: Instant,
) => ({
  name,
  scopes,
  restriction,
  review,
  client,
  expiresAt: expiresAt === null ? null : now + expiresAt - createdAt,
});

/**
 * Reads `read`, `write` or `read,write` and returns the scopes in order. Write does not imply read.
 * Null for anything else.
 */
export const parseScopes = (text: string): readonly Scope[] | null => {
  const scopes = new Set(text.split(/[\s,]+/).filter((word) => word !== ""));
  const known = [...scopes].filter((word): word is Scope => word === "read" || word === "write");
  return known.length === scopes.size && known.length > 0 ? known.toSorted() : null;
};

const UNITS: Readonly<Record<string, number>> = { m: MINUTE, h: HOUR, d: DAY };

/**
 * Reads a duration such as `30m`, `12h` or `90d` and returns milliseconds; `never` is infinite.
 * Null for anything else.
 */
export const parseLifetime = (text: string): number | null => {
  if (text === "never") return Number.POSITIVE_INFINITY;
  const [, count, unit = ""] = /^([1-9]\d{0,5})([mhd])$/.exec(text) ?? [];
  return count === undefined ? null : Number(count) * (UNITS[unit] ?? 0);
};

const MAX_NAME = 100;

/** Whether the text can name a key or session: 1 to 100 characters, all visible. Each code point counts as one. */
export const isName = (text: string): boolean =>
  /^[^\p{C}\p{Zl}\p{Zp}]+$/u.test(text) && text.trim() !== "" && [...text].length <= MAX_NAME;

/** Says how long a name is, as a sentence that follows what a name must be; nothing if it is not too long. */
export const howLong = (name: string): string => {
  const { length } = [...name];
  return length > MAX_NAME ? ` This one has ${length}.` : "";
};

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

/** What a credential allows. There is no delete scope (specification, section 5). */
export type Scope = "read" | "write";
