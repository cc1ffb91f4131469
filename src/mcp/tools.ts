import type { Caller } from "../domain/people/account.ts";
import { claimTaskTool, releaseTask } from "./claim.ts";
import { findChanges } from "./changes.ts";
import { findTasks, readTask } from "./read.ts";
import { listFoldersTool } from "./lookup.ts";
import type { Tool } from "./tool.ts";
import { addFolder, addTask, changeTasks, fileTabsTool, moveTabsTool, writeNote } from "./write.ts";

/** What agents can do, in the order in which the tools are listed. No tool deletes anything. */
export const TOOLS: readonly Tool[] = [
  findTasks,
  readTask,
  addTask,
  fileTabsTool,
  moveTabsTool,
  writeNote,
  changeTasks,
  findChanges,
  claimTaskTool,
  releaseTask,
  listFoldersTool,
  addFolder,
];

/** Returns the tools that a caller can use. This only keeps the list short: calling any other tool is refused. */
export const toolsFor = ({ scopes, restriction }: Caller): readonly Tool[] =>
  TOOLS.filter(
    ({ access: { scope }, suits }) =>
      (scope === null || scopes.includes(scope)) && suits(restriction),
  );
