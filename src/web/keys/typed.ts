import { isName, parseLifetime } from "../../domain/people/api-key.ts";
import type { Scope } from "../../domain/people/caller.ts";
import type { NamedFolder } from "../../db/records/folders.ts";
import type { Instant } from "../../domain/base/instant.ts";
import { type Restriction, MAX_FOLDERS } from "../../domain/people/restriction.ts";
import { field, type Form, type Problems } from "../shared/form.ts";

/** What was typed into the form that makes a key. */
export type TypedKey = {
  readonly name: string;
  readonly read: boolean;
  readonly write: boolean;
  readonly expires: string;
  /** One of `WHERES`. */
  readonly where: string;
  /** The ids of the folders that were ticked. */
  readonly folders: readonly string[];
};

/** What the form shows at first: a key that only reads, for 90 days, the whole account. */
export const NEW_KEY: TypedKey = {
  name: "",
  read: true,
  write: false,
  expires: "90d",
  where: "account",
  folders: [],
};

export const WHERES = [
  ["account", "in the whole account"],
  ["folders", "only in the folders ticked below: whatever lies outside is not there for it"],
  ["inbox", "only in the inbox: it files tabs there, and sees no other task and no folder"],
] as const;

const FOLDER = "folder:";

/** The name of the box of a folder. */
export const folderField = (id: string): string => FOLDER + id;

export const LIFETIMES = [
  ["7d", "7 days"],
  ["30d", "30 days"],
  ["90d", "90 days"],
  ["365d", "365 days"],
  ["never", "Never: until you revoke it"],
] as const;

/** A box that is not ticked is not sent. */
export const typedKey = (form: Form): TypedKey => ({
  name: field(form, "name"),
  read: form.has("read"),
  write: form.has("write"),
  expires: field(form, "expires"),
  where: field(form, "where"),
  folders: [...form.keys()]
    .filter((name) => name.startsWith(FOLDER))
    .map((name) => name.slice(FOLDER.length)),
});

export const scopesOf = ({ read, write }: TypedKey): readonly Scope[] => [
  ...(read ? (["read"] as const) : []),
  ...(write ? (["write"] as const) : []),
];

/** What a key is to be kept to, where nothing is wrong. */
export const restrictionOf = ({ where, folders }: TypedKey): Restriction | null => {
  if (where === "account") return null;
  return where === "inbox" ? { kind: "inbox" } : { kind: "folders", folders };
};

/** When a key of the typed lifetime ends, null for never. */
export const expiryOf = ({ expires }: TypedKey, now: Instant): Instant | null => {
  const lifetime = parseLifetime(expires) ?? 0;
  return Number.isFinite(lifetime) ? now + lifetime : null;
};

/** What is wrong with what was typed, by the form's fields. `folders` are the account's live ones. */
export const problemsOf = (typed: TypedKey, folders: readonly NamedFolder[]): Problems => ({
  ...nameProblem(typed.name.trim()),
  ...(scopesOf(typed).length === 0
    ? { scopes: "Tick at least one: a key without any could do nothing." }
    : {}),
  ...(LIFETIMES.some(([value]) => value === typed.expires)
    ? {}
    : { expires: "Choose one of these." }),
  ...whereProblem(typed, new Set(folders.map(({ id }) => id))),
});

const whereProblem = ({ where, folders }: TypedKey, known: ReadonlySet<string>): Problems => {
  if (!WHERES.some(([value]) => value === where)) return { where: "Choose one of these." };
  if (where !== "folders")
    // Whoever ticked some did not mean all.
    return folders.length === 0
      ? {}
      : { where: "You ticked folders: choose “only in the folders”, or untick them." };
  if (folders.length === 0) return { folders: "Tick at least one folder." };
  if (!folders.every((id) => known.has(id)))
    return { folders: "A folder that you ticked is not there any more: look again." };
  return folders.length > MAX_FOLDERS ? { folders: `Tick at most ${MAX_FOLDERS} folders.` } : {};
};

const nameProblem = (name: string): Problems => {
  if (name === "") return { name: "Give the key a name: who or what will use it." };
  return isName(name)
    ? {}
    : { name: "A name has up to 100 characters, none of them invisible: this one cannot be used." };
};
