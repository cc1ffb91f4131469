import { isBlank } from "../../domain/base/text.ts";
import { nameFolders } from "../../db/records/folders.ts";
import type { NamedFolder } from "../../domain/tasks/folder.ts";
import type { Store } from "../../db/store.ts";
import { MAX_FOLDERS, type Restriction } from "../../domain/people/api-key.ts";
import { UsageError } from "../../domain/base/usage.ts";
import { type Command, type Run, theAccount, withStore } from "../command.ts";
import { short } from "./history.ts";
import { plain, printList } from "../terminal.ts";
import { listAccounts } from "../../db/people/accounts.ts";

/** Refuses `--folders` together with `--inbox-only`: a key has one restriction. */
export const checkRestrictionFlags = (run: Run): void => {
  if (run.flag("folders") !== undefined && run.has("inbox-only"))
    throw new UsageError("Use either --folders or --inbox-only, not both.");
};

/** The new key's restriction; null for the whole account. Refuses folders that the account does not have. */
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
    throw new UsageError(`An API key can be limited to at most ${MAX_FOLDERS} folders.`);
  return { kind: "folders", folders };
};

/**
 * The ids of the folders in a comma-separated list of ids and names. A name may contain commas, and two folders
 * may have the same name. A list that can be read in two ways is refused: otherwise anyone who can create a
 * folder could choose its name so that a key reaches a different folder from the one that was meant.
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
    "--folders can be read in more than one way. Give each folder by its ID, as shown by `docket folder list`.",
  );
};

type Reading = readonly string[];

/** Finds the folder with an id, or otherwise all folders with a name. Ignores spaces around it. */
const folderFinder = (folders: readonly NamedFolder[]) => {
  const ids = new Set(folders.map(({ id }) => id));
  const named = Map.groupBy(folders, ({ name }) => name.trim().normalize("NFC"));
  return (text: string): readonly string[] => {
    const wanted = text.trim();
    if (wanted === "") return [];
    return ids.has(wanted)
      ? [wanted]
      : (named.get(wanted.normalize("NFC")) ?? []).map(({ id }) => id);
  };
};

const unknown = (part: string): UsageError =>
  new UsageError(
    part.trim() === ""
      ? "--folders must be folder IDs or names, separated by commas. Run `docket folder list` to see them."
      : `This account has no folder "${plain(part.trim())}". Run \`docket folder list\` to see its folders.`,
  );

/** A key's restriction, in words; empty for the whole account. */
export const restrictionWords = (
  restriction: Restriction | null,
  folders: readonly NamedFolder[],
): string => {
  if (restriction === null) return "";
  if (restriction.kind === "inbox") return "Limited to the inbox";
  const names = new Map(folders.map(({ id, name }) => [id, name]));
  const shown = restriction.folders.map((id) => folderWords(names.get(id)));
  if (shown.length === 0) return "Limited to no folders";
  return `Limited to ${shown.length === 1 ? "folder" : "folders"} ${shown.join(", ")}`;
};

const folderWords = (name: string | undefined): string => {
  if (name === undefined) return "(deleted)";
  return isBlank(name) ? "(unnamed)" : `"${plain(short(name))}"`;
};

export const folderCommand: Command = {
  name: "folder list",
  usage: "[--account EMAIL] [--json]",
  about: "list the folders that an API key can be limited to",
  flags: { account: true, json: false },
  words: [0, 0],
  run: async (run) => {
    const rows = await withStore(run, async (store) => {
      const all = run.flag("account") === undefined;
      const accounts = all ? await listAccounts(store) : [await theAccount(run, store)];
      const lists = accounts.map(async ({ id: accountId, email: account }) =>
        (await nameFolders(store, accountId)).map(({ id, name }) => ({ id, account, name })),
      );
      return (await Promise.all(lists)).flat();
    });
    printList(run, rows, "There are no folders yet.");
    return 0;
  },
};
