import { wyhash64 } from "../base/hash.ts";
import type { Instant } from "../base/instant.ts";

/**
 * Returns the entity tag of a task's version. It changes with anything that `GET /tasks/{id}`
 * shows.
 */
export const entityTag = (version: {
  readonly updated: Instant;
  readonly payload: string;
}): string => `"${wyhash64(version.payload, version.updated).toString(16)}"`;

/** Whether an `If-Match` header includes `tag`. The header is `*` or a list (RFC 9110, 13.1). */
export const namesTag = (field: string, tag: string): boolean =>
  field.trim() === "*" || field.split(",").some((candidate) => candidate.trim() === tag);
