import { SETTINGS } from "../../config.ts";
import type { Command } from "../command.ts";
import { printList } from "../terminal.ts";

export const configCommand: Command = {
  name: "config",
  usage: "[options of serve] [--json]",
  about: "print each setting as a server would have it, and where it comes from; no secrets",
  flags: { ...Object.fromEntries(Object.keys(SETTINGS).map((name) => [name, true])), json: false },
  words: [0, 0],
  run: async (run) => {
    printList(run, run.settings(), "");
    return 0;
  },
};
