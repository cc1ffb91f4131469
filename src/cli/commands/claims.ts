import { liveClaims } from "../../db/records/claims.ts";
import { releaseClaim } from "../../db/records/claim.ts";
import { SOMEONE } from "../../domain/people/account.ts";
import { notFound } from "../../domain/base/refusal.ts";
import { readTitles } from "../../db/records/lookup.ts";
import { type Command, theAccount, withStore } from "../command.ts";
import { printList, time } from "../terminal.ts";

const list: Command = {
  name: "claim list",
  usage: "[--account EMAIL] [--json]",
  about: "list the tasks that API keys work on",
  flags: { account: true, json: false },
  words: [0, 0],
  run: async (run) => {
    const rows = await withStore(run, async (store) => {
      const { id } = await theAccount(run, store);
      const claims = await liveClaims(store.reader, id, run.now());
      const names = claims.map(({ taskId }) => `task:${taskId}`);
      const titles = await readTitles(store, id, names);
      return claims
        .toSorted((a, b) => a.until - b.until)
        .map(({ taskId, by, until }) => ({
          task: taskId,
          title: titles.get(`task:${taskId}`) ?? null,
          key: by,
          until: time(until),
        }));
    });
    printList(run, rows, "No API key works on a task now.");
    return 0;
  },
};

const end: Command = {
  name: "claim end",
  usage: "TASK-ID [--account EMAIL]",
  about: "end an API key's claim on a task, so that others can work on it",
  flags: { account: true },
  words: [1, 1],
  run: async (run) => {
    const ended = await withStore(run, async (store) => {
      const { id } = await theAccount(run, store);
      const who = { ...SOMEONE, restriction: null };
      return store.transaction(id, run.now(), (tx) => releaseClaim(tx, run.words[0] ?? "", who));
    });
    if (ended === null) throw notFound("claim");
    run.say(`The key "${ended.by}" no longer works on this task.`);
    return 0;
  },
};

export const CLAIM_COMMANDS = [list, end];
