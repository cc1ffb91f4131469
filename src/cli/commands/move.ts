import { resolve } from "node:path";
import { MINUTE } from "../../domain/base/instant.ts";
import { databaseAddress } from "../../config/values.ts";
import { moveData } from "../../db/move.ts";
import { openStore } from "../../db/open.ts";
import { noteRestored } from "../../db/restored.ts";
import type { Store } from "../../db/store.ts";
import { UnusableDatabase } from "../../db/unusable.ts";
import { UsageError } from "../../domain/base/usage.ts";
import { type Command, required, type Run } from "../command.ts";

type Place = { readonly directory: string; readonly database: string | null };

const move: Command = {
  name: "move",
  usage: "--to URL|DIR",
  about:
    "copy all data to an empty PostgreSQL database, or from one to an empty data directory; stop the server first",
  flags: { to: true },
  words: [0, 0],
  run: async (run) => {
    const to = placeOf(run, required(run, "to"));
    const place = placeIn(run);
    if (to.directory === place.directory && to.database === place.database)
      throw new UsageError("The data are there already. Name another place with --to.");
    const from = await open(run, place, true);
    try {
      const target = await open(run, to, false);
      try {
        const finish =
          to.database === null
            ? undefined
            : (await import("../../db/postgres/numbers.ts")).continueNumbers;
        await moveData(
          from,
          target,
          ({ table, rows, digest }) =>
            run.say(`${table}: ${rows} rows, ${digest.slice(0, 16)} in both`),
          finish,
        );
      } finally {
        await target.close();
      }
    } finally {
      await from.close();
    }
    run.say(
      `Everything is copied, and was compared. Start the server on the new data: docket serve ${to.database === null ? `--data ${to.directory}` : "--database URL"}. ` +
        "The old data stay as they were: put them away, so that no server starts on them.",
    );
    return 0;
  },
};

/** By how much the clock of a server that gave out a `server_time` may have been ahead of this one. */
const APART = 15 * MINUTE;

const restored: Command = {
  name: "restored",
  usage: "",
  about:
    "say that the database was put back from a backup by other means than `docket restore`, so that devices send again what it lacks; stop the server first",
  flags: {},
  words: [0, 0],
  run: async (run) => {
    const store = await open(run, placeIn(run), true);
    try {
      await noteRestored(store, Math.max(store.clock.lease, run.now() + APART) + 1);
    } finally {
      await store.close();
    }
    run.say("Noted. Start the server: each device sends what it holds when it syncs next.");
    return 0;
  },
};

export const MOVE_COMMANDS: readonly Command[] = [move, restored];

const placeIn = ({ config }: Run): Place => ({ directory: config.data, database: config.database });

const placeOf = (run: Run, to: string): Place =>
  /^postgres(ql)?:/.test(to)
    ? { directory: run.config.data, database: databaseAddress(to) }
    : { directory: resolve(to), database: null };

/** Opens data on which no server works. */
const open = (run: Run, { directory, database }: Place, mustExist: boolean): Promise<Store> =>
  openStore({
    directory,
    database,
    role: "server",
    now: run.now(),
    mustExist,
    onWait: () => {
      throw new UnusableDatabase("A Docket server works on this database. Stop all of them first.");
    },
  });
