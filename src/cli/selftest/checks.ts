import type { Check } from "./check.ts";
import { BODIES } from "./checks/bodies.ts";
import { CHILDREN } from "./checks/children.ts";
import { CREDENTIALS } from "./checks/credentials.ts";
import { IDEMPOTENCY } from "./checks/idempotency.ts";
import { KEYS } from "./checks/keys.ts";
import { LIMITS } from "./checks/limits.ts";
import { LISTS } from "./checks/lists.ts";
import { PUSH } from "./checks/push.ts";
import { READER, WRITER } from "./checks/scopes.ts";
import { SERVER } from "./checks/server.ts";
import { SYNC } from "./checks/sync.ts";
import { TASKS } from "./checks/tasks.ts";

/** All checks, in the order in which they run. The rate limit comes last: it uses up a key's minute. */
export const CHECKS: readonly Check[] = [
  ...SERVER,
  ...CREDENTIALS,
  ...TASKS,
  ...BODIES,
  ...LISTS,
  ...CHILDREN,
  ...SYNC,
  ...PUSH,
  ...IDEMPOTENCY,
  ...KEYS,
  ...READER,
  ...WRITER,
  ...LIMITS,
];
