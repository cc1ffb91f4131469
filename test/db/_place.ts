import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Files in memory where there is such a place: what a disk does with them is not the question here. */
const PLACE = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

/** A directory that whoever asked for it removes. */
export const newDirectory = (): string => mkdtempSync(join(PLACE, "docket-store-"));
