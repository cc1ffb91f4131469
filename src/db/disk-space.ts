import { statfsSync } from "node:fs";
import type { Space } from "../domain/base/disk-space.ts";

/** Returns the free space where the data are; null if the system does not report it. */
export const readSpace = (directory: string): Space | null => {
  try {
    const { bavail, bfree, blocks, bsize } = statfsSync(directory);
    // Some blocks are reserved for root.
    const free = process.getuid?.() === 0 ? bfree : bavail;
    return blocks === 0 ? null : { free: free * bsize, total: blocks * bsize };
  } catch {
    return null;
  }
};
