/** Every endpoint of the public API (specification, section 4), with an id that no task has. */
export const ENDPOINTS: readonly (readonly [method: string, path: string])[] = [
  ["GET", "/me"],
  ["GET", "/entitlement"],
  ["GET", "/sync"],
  ["POST", "/sync"],
  ["GET", "/tasks"],
  ["POST", "/tasks"],
  ["GET", "/tasks/no-such-task"],
  ["PATCH", "/tasks/no-such-task"],
  ["POST", "/tasks/no-such-task/tabs"],
  ["POST", "/tasks/no-such-task/notes"],
  ["POST", "/inbox/tabs"],
  ["GET", "/projects"],
  ["POST", "/projects"],
];
