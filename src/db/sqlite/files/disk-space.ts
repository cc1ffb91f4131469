import { statfsSync } from "node:fs";
import type { Space } from "../../../domain/base/disk-space.ts";

/** What is left where the data lie; null where the system does not tell. */
export const readSpace = (directory: string): Space | null => {
  try {
    const { bavail, bfree, blocks, bsize } = statfsSync(directory);
    // Some blocks are kept for root alone.
    const free = process.getuid?.() === 0 ? bfree : bavail;
    return blocks === 0 ? null : { free: free * bsize, total: blocks * bsize };
  } catch {
    return null;
  }
};
