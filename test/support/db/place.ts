import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** In memory where possible: these tests are not about the disk. */
const PLACE = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

/** Creates a directory that the caller removes. */
export const newDirectory = (): string => mkdtempSync(join(PLACE, "docket-store-"));
