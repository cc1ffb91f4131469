import type { Caller } from "../domain/people/account.ts";
import { findTasks, readTask } from "./read.ts";
import { listFoldersTool, whoAmI } from "./lookup.ts";
import type { Tool } from "./tool.ts";
import {
  addFolder,
  addNoteTool,
  addTask,
  changeTask,
  fileTabsTool,
  moveTabsTool,
} from "./write.ts";

/** What agents can do, in the order in which the tools are listed. No tool deletes anything. */
export const TOOLS: readonly Tool[] = [
  findTasks,
  readTask,
  addTask,
  fileTabsTool,
  moveTabsTool,
  addNoteTool,
  changeTask,
  listFoldersTool,
  addFolder,
  whoAmI,
];

/** Returns the tools that a caller can use. This only keeps the list short: calling any other tool is refused. */
export const toolsFor = ({ scopes, restriction }: Caller): readonly Tool[] =>
  TOOLS.filter(
    ({ access: { scope }, suits }) =>
      (scope === null || scopes.includes(scope)) && suits(restriction),
  );
