import type { Route } from "../../route.ts";
import type { Operation, Operations } from "./operation.ts";
import { ACCOUNT, SERVING } from "./account.ts";
import { SIGNING_IN, SYNCING } from "./extension.ts";
import { FILING } from "./tasks.ts";

/** Every route's, by method and path. */
const OPERATIONS: Operations = {
  ...ACCOUNT,
  ...FILING,
  ...SYNCING,
  ...SIGNING_IN,
  ...SERVING,
};

/** What the document says of a route. One that is not told of is a bug, which the tests find. */
export const operationOf = ({ method, path }: Route): Operation => {
  const operation = OPERATIONS[`${method} ${path}`];
  if (operation) return operation;
  throw new Error(
    `The document says nothing of ${method} ${path}: see src/http/openapi/operations/.`,
  );
};
