import { openStore } from "../../../src/db/open.ts";
import { NOON } from "../server.ts";
import { finder } from "./search.ts";
import { pushTask } from "./store.ts";

/** A process that writes and searches ann's tasks until it is killed, and prints "ready" once it has begun. */
const work = async (directory: string, from: number): Promise<void> => {
  const store = await openStore({ directory, role: "server", now: NOON + from });
  const find = finder(store, 1);
  process.stdout.write("ready\n");
  for (let at = from; ; at += 1) {
    const body = { title: `rust ${at % 50}`, notes: ["one two three"] };
    await pushTask(store, 1, `t${at % 300}`, NOON + at, body);
    if (at % 3 === 0) await find(`${at % 50}`);
  }
};

if (import.meta.main) await work(process.argv[2] ?? "", Number(process.argv[3]));
