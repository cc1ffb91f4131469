import type { Payload } from "../base/payload.ts";

/**
 * A bucket is a trash bucket by its kind, or by its id. `payload` is null where no live record says
 * anything of it.
 */
export const isTrashBucket = (id: string, payload: Payload | null): boolean =>
  id === "trash" || payload?.["kind"] === "trash";
