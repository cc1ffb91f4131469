import { withoutSecrets } from "../domain/base/secret.ts";
import { isRecordId } from "../domain/base/text.ts";

type Kind = "folder" | "task";

/** Returns the record with an id that was sent, as the activity list names it. Null if no record can have that id. */
export const nameSent = (kind: Kind, id: unknown): string | null =>
  isRecordId(id) ? withoutSecrets(`${kind}:${id}`) : null;

/**
 * Returns the record that a write returned, as the activity list names it: `task:ID` or `folder:ID`. Null if it
 * returned none.
 */
export const nameRecord = (kind: Kind, value: unknown): string | null => {
  const id = typeof value === "object" && value !== null && "id" in value ? value.id : null;
  return typeof id === "string" ? `${kind}:${id}` : null;
};
