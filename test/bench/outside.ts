import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createKey } from "../../src/db/people/api-keys.ts";
import { cryptoRandom } from "../../src/domain/base/secret.ts";
import { change } from "../support/replies.ts";
import { startServer } from "../support/server.ts";

// Can a key that is kept to a folder tell by the time of a search whether a word occurs outside it? Times searches for
// a word that occurs outside, for one that occurs nowhere, and for another that occurs nowhere, one after the other in
// one run. `bun test/bench/outside.ts --trials 300`

const { values } = parseArgs({ options: { trials: { type: "string", default: "300" } } });
const TRIALS = Number(values.trials);

/** Tasks outside the folder that hold the word. */
const OUTSIDE = [1, 100, 10_000];

const NAMES = ["present", "absent", "absent too"] as const;
type Name = (typeof NAMES)[number];

/** The chance that a time from the one list is longer than a time from the other: 0.5 tells nothing. */
const chance = (one: readonly number[], other: readonly number[]): number => {
  let longer = 0;
  for (const a of one) for (const b of other) longer += a > b ? 1 : a === b ? 0.5 : 0;
  return longer / (one.length * other.length);
};

const median = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0;

/** One account with a task inside the folder and `outside` tasks elsewhere. */
const measure = async (outside: number) => {
  const server = await startServer({
    directory: mkdtempSync(join(tmpdir(), "docket-outside-")),
    limits: { perMinute: 100_000, perHour: 100_000 },
  });
  const ann = await server.person(`ann.${outside}@example.org`);
  const push = (body: readonly unknown[]) =>
    server.call("POST", "/sync", { token: ann.session, body });
  await push([
    change("sync_projects", "inside", { name: "inside" }),
    change("sync_projects", "other", { name: "other" }),
    change("sync_tasks", "mine", { title: "something of mine", project_id: "inside" }),
  ]);
  for (let from = 0; from < outside; from += 500)
    await push(
      Array.from({ length: Math.min(500, outside - from) }, (_, at) =>
        change("sync_tasks", `t${from + at}`, { title: `zebra${at} zebra`, project_id: "other" }),
      ),
    );
  const restriction = { kind: "folders", folders: ["inside"] } as const;
  const wish = { name: "bot", scopes: ["read"], restriction, expiresAt: null } as const;
  const { id } = ann.account;
  const { secret } = await createKey(server.store, id, wish, cryptoRandom, server.clock.wall());
  const time = async (word: string): Promise<number> => {
    const before = performance.now();
    const { status, json } = await server.call("GET", `/tasks?q=${word}`, { token: secret });
    const took = performance.now() - before;
    if (status !== 200 || json.tasks.length !== 0) throw new Error(`${word}: ${status}`);
    return took;
  };
  const words: Readonly<Record<Name, string>> = {
    present: "zebra",
    absent: "qoppa",
    "absent too": "wynns",
  };
  while ((await server.call("GET", "/tasks?q=mine", { token: secret })).status !== 200)
    await Bun.sleep(500);
  const times: Record<Name, number[]> = { present: [], absent: [], "absent too": [] };
  for (let trial = -20; trial < TRIALS; trial++)
    for (const name of NAMES.toSorted(() => Math.random() - 0.5)) {
      const took = await time(words[name]);
      if (trial >= 0) times[name].push(took);
    }
  await server.stop();
  return times;
};

const print = (line: string): void => void process.stdout.write(`${line}\n`);

print("outside  median present  median absent  told apart  two absent words");
for (const outside of OUTSIDE) {
  const times = await measure(outside);
  const cells = [
    String(outside).padStart(7),
    `${median(times.present).toFixed(3)} ms`.padStart(14),
    `${median(times.absent).toFixed(3)} ms`.padStart(13),
    chance(times.present, times.absent).toFixed(2).padStart(10),
    chance(times["absent too"], times.absent).toFixed(2).padStart(16),
  ];
  print(cells.join("  "));
}
