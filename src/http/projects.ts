import { listFolders } from "../db/records/lists/folder-list.ts";
import { createFolder, type MadeFolder } from "../db/records/folders.ts";
import { jsonList, type Reply } from "../server/reply.ts";
import { invalid } from "../domain/base/refusal.ts";
import { type ApiContext, callerOf } from "./context.ts";
import type { Write } from "./route.ts";
import type { FolderBody } from "./schemas.ts";

/** `GET /projects`: the caller's folders. */
export const getProjects = async (context: ApiContext): Promise<Reply> => {
  const { account, restriction } = callerOf(context);
  return jsonList("projects", await listFolders(context.store, account.id, restriction));
};

/** `POST /projects`: creates a folder. */
export const postProject = (context: ApiContext<unknown, FolderBody>): Write<MadeFolder> => {
  const caller = callerOf(context);
  const { name, title, colour = null } = context.body;
  const folderName = name ?? title;
  if (folderName === undefined) throw invalid("name is missing.");
  if (name !== undefined && title !== undefined) throw invalid("Send only one of name and title.");
  const draft = { name: folderName, colour };
  return (tx) => createFolder(tx, draft, caller);
};
