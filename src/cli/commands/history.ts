import { compare } from "../../domain/history/comparison.ts";
import { readNames, readContainerNames } from "../../db/history/names.ts";
import type { Store } from "../../db/store.ts";
import { listHistory } from "../../db/history/history.ts";
import { doerOf, tell } from "../../domain/history/event.ts";
import { withNames } from "../../domain/history/container-names.ts";
import { limitOf } from "./activity.ts";
import { type Command, theAccount, withStore } from "../command.ts";
import { oneLine } from "./difference.ts";
import { printList, type Row, time } from "../table.ts";

export const historyCommand: Command = {
  name: "history",
  usage: "TASK [--account EMAIL] [--limit N] [--json]",
  about: "list what happened to a task, given its ID, newest first",
  flags: { account: true, limit: true, json: false },
  words: [1, 1],
  run: async (run) => {
    const limit = limitOf(run);
    const rows = await withStore(run, async (store) => {
      const { id } = await theAccount(run, store);
      return rowsOf(store, id, run.words[0] ?? "", limit);
    });
    printList(run, rows, "No history is kept for this task.");
    return 0;
  },
};

const rowsOf = async (
  store: Store,
  accountId: number,
  task: string,
  limit: number,
): Promise<readonly Row[]> => {
  const page = { after: null, limit };
  const { steps } = await listHistory(store, accountId, "sync_tasks", task, page);
  const names = await readNames(store, accountId);
  const compared = steps.map(({ version, refused, before, after }) => ({
    event: { ...version, refused },
    // For a version that was refused, show what it would have changed.
    comparison: refused ? compare(after, before) : compare(before, after),
  }));
  const moves = compared.flatMap(({ comparison }) => comparison.fields);
  const places = await readContainerNames(store, accountId, moves);
  return compared.map(({ event, comparison }) => {
    const { words, name } = doerOf(event, names);
    const fields = comparison.fields.map((field) => withNames(field, places));
    return {
      at: time(event.at),
      who: words + name,
      what: tell(event, names).join(""),
      difference: oneLine({ ...comparison, fields }),
    };
  });
};
