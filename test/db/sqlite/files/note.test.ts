import { expect, test } from "bun:test";
import { lstatSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { noteCleanStop, noteDamage } from "../../../../src/db/sqlite/files/clean-stop.ts";
import { lockDirectory } from "../../../../src/db/sqlite/files/lock.ts";
import { closeIndex, openIndex } from "../../../../src/db/sqlite/search/index-file.ts";
import { directoryForTest } from "../../../support/db/store.ts";

/** What writes each small file of the data directory. */
const WRITERS: Readonly<Record<string, (directory: string) => () => void>> = {
  "docket.pid": (directory) => () => {
    const lock = lockDirectory(directory);
    if ("release" in lock) lock.release();
  },
  "docket.stopped": (directory) => () => noteCleanStop(directory),
  "docket.damaged": (directory) => () => noteDamage(directory, "page 3"),
  "search.db.sum": (directory) => {
    const index = openIndex(directory);
    return () => closeIndex(index);
  },
};

test.each(Object.entries(WRITERS))(
  "%s is written anew, also where a link of that name was put while the server ran",
  (name, prepare) => {
    const [directory, diary] = [directoryForTest(), join(directoryForTest(), "diary")];
    writeFileSync(join(directory, "docket.db"), "data");
    writeFileSync(diary, "Dear diary");
    const write = prepare(directory);
    const file = join(directory, name);
    rmSync(file, { force: true });
    symlinkSync(diary, file);
    write();
    expect(readFileSync(diary, "utf8")).toBe("Dear diary");
    expect(lstatSync(file).isFile()).toBe(true);
    expect(lstatSync(file).mode & 0o777).toBe(0o600);
  },
);
