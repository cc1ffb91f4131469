import { openStore } from "../../../src/db/open.ts";
import { NOON } from "../server.ts";
import { accountFor, pushTask } from "./store.ts";

/** A process that pushes tasks until it is killed, and prints "ready" once it has begun. */
const push = async (directory: string): Promise<void> => {
  const store = await openStore({ directory, role: "server", now: NOON });
  const ann = await accountFor(store);
  for (let at = 1; ; at += 1) {
    const body = { title: `rust ${at % 50}`, notes: ["one two three"] };
    await pushTask(store, ann, `t${at % 300}`, NOON + at, body);
    if (at === 100) process.stdout.write("ready\n");
  }
};

if (import.meta.main) await push(process.argv[2] ?? "");
