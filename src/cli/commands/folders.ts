import { listAccounts } from "../../db/people/accounts.ts";
import { nameFolders } from "../../db/records/folders.ts";
import { type Command, theAccount, withStore } from "../command.ts";
import { printList } from "../table.ts";

export const folderCommand: Command = {
  name: "folder list",
  usage: "[--account EMAIL] [--json]",
  about: "list the folders that an API key can be limited to",
  flags: { account: true, json: false },
  words: [0, 0],
  run: async (run) => {
    const rows = await withStore(run, async (store) => {
      const all = run.flag("account") === undefined;
      const accounts = all ? await listAccounts(store) : [await theAccount(run, store)];
      const lists = accounts.map(async ({ id: accountId, email: account }) =>
        (await nameFolders(store, accountId)).map(({ id, name }) => ({ id, account, name })),
      );
      return (await Promise.all(lists)).flat();
    });
    printList(run, rows, "There are no folders yet.");
    return 0;
  },
};
