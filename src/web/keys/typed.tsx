import {
  howLong,
  isName,
  MAX_FOLDERS,
  parseLifetime,
  type Restriction,
  type Scope,
} from "../../domain/people/api-key.ts";
import type { NamedFolder } from "../../domain/tasks/folder.ts";
import type { Instant } from "../../domain/base/instant.ts";
import { field, type Form, type Problems } from "../shared/form.ts";
import { recordName } from "../../domain/base/record.ts";
import { Shown } from "../ui/parts.tsx";

/** What was typed into the form that creates a key. */
export type TypedKey = {
  readonly name: string;
  readonly read: boolean;
  readonly write: boolean;
  readonly review: boolean;
  readonly expires: string;
  /** One of `WHERES`. */
  readonly where: string;
  /** The ids of the ticked folders. */
  readonly folders: readonly string[];
};

/** What the form shows at first: a key that can only read, for 90 days, in the whole account. */
export const NEW_KEY: TypedKey = {
  name: "",
  read: true,
  write: false,
  review: false,
  expires: "90d",
  where: "account",
  folders: [],
};

const WHERES = [
  ["account", "In the whole account"],
  ["folders", "Only in the folders ticked below. The key cannot see anything else."],
  ["inbox", "Only in the inbox. The key files tabs there, and cannot see other tasks or folders."],
] as const;

const FOLDER = "folder:";

/** The name of a folder's checkbox. */
const folderField = (id: string): string => FOLDER + id;

export const LIFETIMES = [
  ["7d", "7 days"],
  ["30d", "30 days"],
  ["90d", "90 days"],
  ["365d", "365 days"],
  ["never", "Never (until you revoke it)"],
] as const;

/** Browsers do not send a box that is not ticked. */
export const typedKey = (form: Form): TypedKey => ({
  name: field(form, "name"),
  read: form.has("read"),
  write: form.has("write"),
  review: form.has("review"),
  expires: field(form, "expires"),
  where: field(form, "where"),
  folders: [...form.keys()]
    .filter((name) => name.startsWith(FOLDER))
    .map((name) => name.slice(FOLDER.length)),
});

const scopesOf = ({ read, write }: TypedKey): readonly Scope[] => [
  ...(read ? (["read"] as const) : []),
  ...(write ? (["write"] as const) : []),
];

/** The restriction of the new key, once there are no problems; null for the whole account. */
const restrictionOf = ({ where, folders }: TypedKey): Restriction | null => {
  if (where === "account") return null;
  return where === "inbox" ? { kind: "inbox" } : { kind: "folders", folders };
};

/** When a key with the typed lifetime expires; null for never. */
const expiryOf = ({ expires }: TypedKey, now: Instant): Instant | null => {
  const lifetime = parseLifetime(expires) ?? 0;
  return Number.isFinite(lifetime) ? now + lifetime : null;
};

/** Returns the key that was asked for, of which `problemsOf` found nothing wrong. */
export const wishOf = (typed: TypedKey, now: Instant) => ({
  name: typed.name.trim(),
  scopes: scopesOf(typed),
  restriction: restrictionOf(typed),
  expiresAt: expiryOf(typed, now),
  review: typed.review,
});

/** The problems with what was typed, by field. `folders` are the account's live ones. */
export const problemsOf = (typed: TypedKey, folders: readonly NamedFolder[]): Problems => ({
  ...nameProblem(typed.name.trim()),
  ...(scopesOf(typed).length === 0
    ? { scopes: "Tick at least one. Otherwise the key could not do anything." }
    : {}),
  ...(LIFETIMES.some(([value]) => value === typed.expires)
    ? {}
    : { expires: "Choose one of these options." }),
  ...whereProblem(typed, new Set(folders.map(({ id }) => id))),
});

const whereProblem = ({ where, folders }: TypedKey, known: ReadonlySet<string>): Problems => {
  if (!WHERES.some(([value]) => value === where)) return { where: "Choose one of these options." };
  if (where !== "folders")
    // Someone who ticked folders did not mean the whole account.
    return folders.length === 0
      ? {}
      : { where: "You ticked folders. Choose “Only in the folders ticked below”, or untick them." };
  if (folders.length === 0) return { folders: "Tick at least one folder." };
  if (!folders.every((id) => known.has(id)))
    return { folders: "A folder that you ticked no longer exists. Check your choice." };
  return folders.length > MAX_FOLDERS ? { folders: `Tick at most ${MAX_FOLDERS} folders.` } : {};
};

const nameProblem = (name: string): Problems => {
  if (name === "") return { name: "Enter a name, such as who or what will use the key." };
  return isName(name)
    ? {}
    : {
        name: `A name can have up to 100 characters, and no invisible ones.${howLong(name)} Choose another.`,
      };
};

type WhereProps = {
  readonly typed: TypedKey;
  readonly problems: Problems;
  /** The account's live folders, the oldest first. */
  readonly folders: readonly NamedFolder[];
};

/** Chooses the restriction of a key. */
export const WhereChoice = ({ typed, problems, folders }: WhereProps) => {
  const problem = problems["where"];
  return (
    <fieldset class="field" aria-describedby={problem ? "where-problem" : undefined}>
      <legend>Where the key works</legend>
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

/**
 * The most folders that can be ticked. Agents create folders too, so the oldest come first: new ones cannot
 * push others out.
 */
const MOST = 500;

type BoxesProps = Pick<WhereProps, "folders" | "typed"> & { readonly problem: string | undefined };

const FolderBoxes = ({ typed, problem, folders }: BoxesProps) => (
  <fieldset aria-describedby={problem ? "folders-problem" : undefined}>
    <legend>Folders</legend>
    {folders.length === 0 && <p class="hint">You have no folders yet.</p>}
    {folders.slice(0, MOST).map(({ id, name }) => (
      <label key={id}>
        <input
          type="checkbox"
          name={folderField(id)}
          value="yes"
          checked={typed.folders.includes(id)}
        />
        <Shown text={recordName("sync_projects", name)} />
      </label>
    ))}
    {folders.length > MOST && (
      <p class="hint">
        Only your {MOST} oldest folders are listed. To use others, run this command on the server:{" "}
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
