import { createFolder, listFolders, type MadeFolder } from "../db/folders.ts";
import { jsonList, type Reply, type TextReply } from "../door/reply.ts";
import { invalid } from "../refusal.ts";
import { type Ask, callerOf } from "./ask.ts";
import type { FolderBody } from "./schemas.ts";

/** `GET /projects`: the caller's folders. */
export const getProjects = async (ask: Ask): Promise<Reply> => {
  const { account, leash } = callerOf(ask);
  return jsonList("projects", await listFolders(ask.store, account.id, leash));
};

/** `POST /projects`: makes a folder. */
export const postProject = (ask: Ask<unknown, FolderBody>): Promise<MadeFolder> => {
  const caller = callerOf(ask);
  const { name, title, colour = null } = ask.body;
  const folderName = name ?? title;
  if (folderName === undefined) throw invalid("name is missing.");
  const draft = { name: folderName, colour };
  return createFolder(ask.store, caller.account.id, draft, caller, ask.now);
};

/** A folder as lists show it. */
export const showProject = (made: MadeFolder): TextReply => ({ body: made.text });
