import { type Payload, textField } from "../base/payload.ts";
import { rowText } from "../base/text.ts";

/** The id of a bucket that is a trash bucket whatever its record says, and if there is none. */
export const TRASH = "trash";

/**
 * Whether a bucket is a trash bucket: by its kind, or by its id. `payload` is null if there is no live record
 * of the bucket.
 */
export const isTrashBucket = (id: string, payload: Payload | null): boolean =>
  id === TRASH || payload?.["kind"] === "trash";

/** Whether a task in this bucket is in the trash. `stored` is the bucket's record, null if the account never had one. */
export const holdsTrash = (id: string, stored: { readonly trashed: number } | null): boolean =>
  stored ? stored.trashed === 1 : isTrashBucket(id, null);

/** The id of the bucket in which a task of this payload lies, null for none. */
export const bucketIdOf = (payload: Payload): string | null => {
  const id = textField(payload, "bucket_id");
  return id === null ? null : rowText(id);
};
