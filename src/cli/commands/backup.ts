import { resolve } from "node:path";
import { restoreBackup, writeBackup } from "../../db/sqlite/files/backup.ts";
import { formatInstant } from "../../domain/base/instant.ts";
import type { Command } from "../command.ts";

const backup: Command = {
  name: "backup",
  usage: "[FILE]",
  about: "copy the data to a file, even while the server runs",
  flags: {},
  words: [0, 1],
  run: async (run) => {
    const stamp = formatInstant(run.now()).replaceAll(/[:.]/g, "-");
    const file = resolve(run.words[0] ?? `docket-${stamp}.db`);
    writeBackup(run.config.data, file);
    run.say("Wrote a complete backup and checked it:");
    run.print(file);
    return 0;
  },
};

const restore: Command = {
  name: "restore",
  usage: "FILE",
  about: "replace the data with a backup; stop the server first",
  flags: {},
  words: [1, 1],
  run: async (run) => {
    const { kept, carried } = restoreBackup(
      run.config.data,
      resolve(run.words[0] ?? ""),
      run.now(),
    );
    run.say(`Restored the backup. At their next sync, devices send everything they hold.`);
    if (kept !== null) run.say(`The previous data are kept at ${kept}`);
    if (!carried)
      run.say(
        "Warning: Docket could not read the previous data, so anything revoked or disabled since the backup may work " +
          "again. Check the API keys, sessions and accounts, and revoke or disable them again.",
      );
    return 0;
  },
};

export const BACKUP_COMMANDS = [backup, restore];
