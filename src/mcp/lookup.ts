import { listFolders } from "../db/records/lists/folder-list.ts";
import { Arguments, reading } from "./tool.ts";
import { fillingTexts, folderResult, ROOM } from "./results.ts";
import { Type } from "@sinclair/typebox";

export const listFoldersTool = reading(
  {
    name: "list_folders",
    title: "List folders",
    description: "Lists folders, oldest first, each with its number of open tasks.",
    input: Arguments({
      from: Type.Optional(
        Type.Integer({
          minimum: 0,
          description: "next of the last answer",
        }),
      ),
    }),
    restriction: ({ kind }) => kind !== "inbox",
  },
  async ({ store, caller, args: { from = 0 } }) => {
    const rows = await listFolders(store, caller.account.id, caller.restriction);
    const folders = fillingTexts(rows.slice(from), folderResult, ROOM);
    const end = from + folders.length;
    return { folders, next: end < rows.length ? end : null };
  },
);
