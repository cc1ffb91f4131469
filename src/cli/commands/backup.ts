import { resolve } from "node:path";
import { restoreBackup, writeBackup } from "../../db/sqlite/files/backup.ts";
import { formatInstant } from "../../domain/base/instant.ts";
import type { Command } from "../command.ts";

const backup: Command = {
  name: "backup",
  usage: "[FILE]",
  about: "copy the data to a file, also while the server runs",
  flags: {},
  words: [0, 1],
  run: async (run) => {
    const stamp = formatInstant(run.now()).replaceAll(/[:.]/g, "-");
    const file = resolve(run.words[0] ?? `docket-${stamp}.db`);
    writeBackup(run.config.data, file);
    run.say("The copy is whole and was checked:");
    run.print(file);
    return 0;
  },
};

const restore: Command = {
  name: "restore",
  usage: "FILE",
  about: "put a backup in the data's place, while the server is stopped",
  flags: {},
  words: [1, 1],
  run: async (run) => {
    const { kept, carried } = restoreBackup(
      run.config.data,
      resolve(run.words[0] ?? ""),
      run.now(),
    );
    run.say(`The backup is in place. Devices will send what they hold when they sync next.`);
    if (kept !== null) run.say(`What was there before is kept at ${kept}`);
    if (!carried)
      run.say(
        "Warning: what was revoked since the backup was made could not be read there. Look at the keys, sessions and " +
          "accounts, and revoke again what should be.",
      );
    return 0;
  },
};

export const BACKUP_COMMANDS = [backup, restore];
