import { cpSync, rmSync } from "node:fs";
import { basename, join } from "node:path";

/** What the executable needs of `drizzle/`: drizzle-kit alone reads the snapshots, which are 0.4 MB. */
const isNeeded = (path: string): boolean => !basename(path).endsWith("_snapshot.json");

// Runs before a build.
const packed = join("dist", "packed", "drizzle");
rmSync(packed, { recursive: true, force: true });
cpSync("drizzle", packed, { recursive: true, filter: isNeeded });
