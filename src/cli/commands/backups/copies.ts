import { existsSync, mkdirSync, renameSync } from "node:fs";
import { basename, join } from "node:path";
import { findCopy, pruneCopies } from "../../../db/copies.ts";
import { verifyBackup } from "../../../db/sqlite/files/copy.ts";
import { syncPath } from "../../../db/sqlite/files/note.ts";
import { UnusableDatabase } from "../../../db/unusable.ts";
import { formatInstant } from "../../../domain/base/instant.ts";
import { UsageError } from "../../../domain/base/usage.ts";
import type { Command } from "../../command.ts";
import { backupAt, contentsText, ownCopies, placesOf, refusePostgres } from "./find.ts";
import { counted, printList } from "../../terminal.ts";

const NO_COPIES = "There are no copies yet. A server makes one every day.";

const list: Command = {
  name: "backups list",
  usage: "[--json] [--backups DIR]",
  about: "list the copies that the server has made of its data by itself",
  flags: { backups: true, json: false },
  words: [0, 0],
  run: async (run) => {
    refusePostgres(run);
    const rows = ownCopies(run).map(({ name, kind, at, bytes, directory }) => ({
      name,
      made: formatInstant(at),
      because: kind === "daily" ? "daily" : kind.replace("-", " a "),
      bytes,
      directory,
    }));
    printList(run, rows, NO_COPIES);
    return 0;
  },
};

const verify: Command = {
  name: "backups verify",
  usage: "[FILE|NAME|TIME] [--backups DIR]",
  about:
    "check one of these copies, or all of them, as a restore does; exits with 1 if one cannot be restored",
  flags: { backups: true },
  words: [0, 1],
  run: async (run) => {
    refusePostgres(run);
    const [word] = run.words;
    const files =
      word === undefined
        ? ownCopies(run).map(({ directory, name }) => join(directory, name))
        : [backupAt(run, word)];
    let isSound = true;
    for (const file of files)
      try {
        run.print(`${basename(file)}: sound, ${contentsText(verifyBackup(file))}`);
      } catch (error) {
        if (!(error instanceof UnusableDatabase)) throw error;
        isSound = false;
        run.print(`${basename(file)}: ${error.message}`);
      }
    if (files.length === 0) run.say(NO_COPIES);
    return isSound ? 0 : 1;
  },
};

const prune: Command = {
  name: "backups prune",
  usage: "[--backups DIR]",
  about:
    "remove the copies that are not kept: all but those of 7 days, 4 weeks and 12 months, and those for which there is no room",
  flags: { backups: true },
  words: [0, 0],
  run: async (run) => {
    refusePostgres(run);
    const removed = placesOf(run).flatMap((directory) => pruneCopies(directory));
    for (const { name } of removed) run.print(name);
    run.say(
      removed.length === 0
        ? "Nothing was removed."
        : `Removed ${counted(removed.length, "copy", "copies")}.`,
    );
    return 0;
  },
};

const fetchCommand: Command = {
  name: "backups fetch",
  usage: "[NAME|TIME] [--backups DIR]",
  about:
    "bring a copy back from the bucket (--backups-s3) into the directory of copies, by default the newest; then restore it",
  flags: { backups: true, "backups-s3": true },
  words: [0, 1],
  run: async (run) => {
    refusePostgres(run);
    const { data, backups, backupsS3 } = run.config;
    if (backupsS3 === null)
      throw new UsageError("Name the bucket: --backups-s3 URL, or DOCKET_BACKUPS_S3_FILE.");
    const { openBucket } = await import("../../../server/bucket.ts");
    const bucket = openBucket(backupsS3);
    const directory = backups ?? join(data, "backups");
    const there = (await bucket.list()).map((copy) => ({ ...copy, directory }));
    const [word] = run.words;
    const wanted = word === undefined ? there[0] : findCopy(there, word);
    if (!wanted)
      throw new UnusableDatabase(
        there.length === 0
          ? `There is no copy at ${bucket.address}.`
          : `There is no such copy at ${bucket.address}. The newest is ${there[0]?.name}.`,
      );
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const file = join(directory, wanted.name);
    if (existsSync(file)) throw new UnusableDatabase(`${file} is there already.`);
    const partial = `${file}.partial`;
    await bucket.fetch(wanted.name, partial);
    const contents = verifyBackup(partial);
    syncPath(partial);
    renameSync(partial, file);
    run.print(`${wanted.name}: sound, ${contentsText(contents)}`);
    run.say(`It is in ${directory}. Restore it with: docket restore ${wanted.name}`);
    return 0;
  },
};

export const COPY_COMMANDS = [list, verify, prune, fetchCommand];
