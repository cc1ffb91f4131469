import type { Route } from "../../route.ts";
import type { Operation, Operations } from "./operation.ts";
import { AGENTS } from "./agents.ts";
import { ACCOUNT, SERVER } from "./account.ts";
import { FOLDERS } from "./folders.ts";
import { SIGN_IN } from "./sign-in.ts";
import { ICONS } from "./icons.ts";
import { SYNC } from "./sync.ts";
import { TASKS } from "./tasks.ts";

/** Every route's operation, by method and path. */
const OPERATIONS: Operations = {
  ...ACCOUNT,
  ...TASKS,
  ...AGENTS,
  ...FOLDERS,
  ...SYNC,
  ...ICONS,
  ...SIGN_IN,
  ...SERVER,
};

/** Returns a route's operation. Throws for a route that has none, which the tests catch. */
export const operationOf = ({ method, path }: Route): Operation => {
  const operation = OPERATIONS[`${method} ${path}`];
  if (operation) return operation;
  throw new Error(
    `The document says nothing of ${method} ${path}: see src/http/openapi/operations/.`,
  );
};
