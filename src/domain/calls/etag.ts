import type { Instant } from "../base/instant.ts";

/** The entity tag of a task's version: it changes with anything that `GET /tasks/{id}` shows. */
export const entityTag = (version: {
  readonly updated: Instant;
  readonly payload: string;
}): string => `"${Bun.hash(version.payload, version.updated).toString(16)}"`;

/** Whether an `If-Match` field names `tag`: `*`, or a list (RFC 9110, 13.1). */
export const namesTag = (field: string, tag: string): boolean =>
  field.trim() === "*" || field.split(",").some((candidate) => candidate.trim() === tag);
