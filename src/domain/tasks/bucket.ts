import type { Payload } from "../base/payload.ts";

/**
 * Whether a bucket is a trash bucket: by its kind, or by its id. `payload` is null if there is no live record
 * of the bucket.
 */
export const isTrashBucket = (id: string, payload: Payload | null): boolean =>
  id === "trash" || payload?.["kind"] === "trash";
