import { createFolder, listFolders } from "../db/folders.ts";
import { invalid } from "../refusal.ts";
import { type Ask, callerOf } from "./ask.ts";
import { jsonList, type Reply } from "../door/reply.ts";
import type { FolderBody } from "./schemas.ts";

/** `GET /projects`: the caller's folders. */
export const getProjects = async (ask: Ask): Promise<Reply> =>
  jsonList("projects", await listFolders(ask.store, callerOf(ask).account.id));

/** `POST /projects`: makes a folder. */
export const postProject = async (ask: Ask<unknown, FolderBody>): Promise<Reply> => {
  const caller = callerOf(ask);
  const { name, title, colour = null } = ask.body;
  const folderName = name ?? title;
  if (folderName === undefined) throw invalid("name is missing.");
  const draft = { name: folderName, colour };
  const made = await createFolder(ask.store, caller.account.id, draft, caller, ask.now);
  return { body: made.text };
};
