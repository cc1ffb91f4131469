import { onTestFinished } from "bun:test";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Files in memory where there is such a place: for tests that ask nothing of the disk. */
const PLACE = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

/** A directory that whoever asked for it removes. */
export const fastDirectory = (): string => mkdtempSync(join(PLACE, "docket-store-"));

/** A fast directory that is removed when the test is done. */
export const fastDirectoryForTest = (): string => {
  const directory = fastDirectory();
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
};
