import { join } from "node:path";
import { ask } from "../support/postgres.ts";
import { run } from "../support/program.ts";
import { buildGroup, DATABASE, HERE, type Machine } from "./machines.ts";

// Loses machines of a group under load, `bun run losses [TIMES]`: the primary of the database (20 times), and a quarter as
// often each of these: its network, the server that works, and that one's network. Counts what was answered and is missing, what is
// half there, and the seconds until a write was answered again. Needs root: see machines.ts.

const kills = Number(process.argv[2] ?? 20);
const program = join(import.meta.dir, "../../dist/docket");
const { databases, servers, folder, end } = buildGroup(program);

const soon = async <T>(what: string, find: () => Promise<T | null>, seconds = 120): Promise<T> => {
  for (let tries = 0; tries < seconds * 10; tries += 1) {
    const found = await find().catch(() => null);
    if (found !== null) return found;
    await Bun.sleep(100);
  }
  throw new Error(`Not within ${seconds} s: ${what}. Look in ${folder}.`);
};

const answers = async (url: string): Promise<boolean> =>
  (await fetch(url, { signal: AbortSignal.timeout(1_000) }).catch(() => null))?.status === 200;

const whichAnswers = (machines: readonly Machine[], path: string): Promise<Machine> =>
  soon(`one of ${machines.map(({ name }) => name).join(", ")} works`, async () => {
    for (const one of machines) if (await answers(`http://${one.address}${path}`)) return one;
    return null;
  });
const primary = (): Promise<Machine> => whichAnswers(databases, ":8008/primary");
const atWork = (): Promise<Machine> => whichAnswers(servers, ":3625/readyz");

/** Waits until all that is answered is on both databases, and Patroni knows it, so that either may be lost. */
const inStep = (): Promise<true> =>
  soon("a synchronous standby", async () => {
    const { address } = await primary();
    const { members } = (await (await fetch(`http://${address}:8008/cluster`)).json()) as {
      readonly members: readonly { readonly role: string }[];
    };
    const state = await ask(DATABASE, "select sync_state from pg_stat_replication");
    return state === "sync" && members.some(({ role }) => role === "sync_standby") ? true : null;
  });

const docket = async (...words: string[]): Promise<string> => {
  const { code, out, err } = await run([program], [...words, "--data", join(folder, "command")], {
    env: { DOCKET_DATABASE: DATABASE },
    input: "correct horse battery",
  });
  if (code !== 0) throw new Error(err);
  return out.trim();
};

const answered = new Set<string>();
const load = { isOver: false, lastAnswer: 0, refused: 0 };

/** Pushes five tasks at a time: all of them are stored, or none. */
const push = async (token: string, name: string): Promise<void> => {
  for (let made = 0; !load.isOver; made += 1) {
    const titles = [1, 2, 3, 4, 5].map((n) => `${name} ${made} ${n}`);
    const body = titles.map((title) => ({
      table: "sync_tasks",
      id: title.replaceAll(" ", "-"),
      updated_at: new Date().toISOString(),
      deleted_at: null,
      payload: { title },
    }));
    const reply = await fetch(`http://${HERE}:3625/api/public/v1/sync`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(15_000),
    }).catch(() => null);
    if (reply?.status === 200) {
      for (const title of titles) answered.add(title);
      load.lastAnswer = performance.now();
    } else {
      load.refused += 1;
      await Bun.sleep(100);
    }
  }
};

type Loss = {
  readonly name: string;
  readonly times: number;
  readonly find: () => Promise<Machine>;
  readonly lose: (machine: Machine) => Promise<void>;
  readonly mend: (machine: Machine) => void;
};

const kill = (machine: Machine): Promise<void> => machine.kill();
const start = (machine: Machine): void => machine.start();
const cut = async (machine: Machine): Promise<void> => machine.cut(true);
const plugIn = (machine: Machine): void => machine.cut(false);
const few = Math.ceil(kills / 4);
const LOSSES: readonly Loss[] = [
  { name: "primary killed", times: kills, find: primary, lose: kill, mend: start },
  { name: "primary cut off", times: few, find: primary, lose: cut, mend: plugIn },
  { name: "server killed", times: few, find: atWork, lose: kill, mend: start },
  { name: "server cut off", times: few, find: atWork, lose: cut, mend: plugIn },
];

const play = async ({ name, times, find, lose, mend }: Loss): Promise<void> => {
  const waits: number[] = [];
  for (let played = 0; played < times; played += 1) {
    await inStep();
    const machine = await find();
    const before = performance.now();
    await lose(machine);
    // What was answered while it was being lost does not count.
    const from = performance.now() + 500;
    await soon(`an answer after ${name}`, async () => (load.lastAnswer > from ? true : null));
    waits.push((load.lastAnswer - before) / 1_000);
    mend(machine);
    await Bun.sleep(1_000);
  }
  const middle = waits.toSorted((a, b) => a - b)[Math.floor(waits.length / 2)] ?? 0;
  process.stdout.write(
    `${name.padEnd(16)} ${times} times, calls served again after ${middle.toFixed(1)} s (longest ${Math.max(...waits).toFixed(1)} s)\n`,
  );
};

try {
  await primary();
  await soon("the database", async () => {
    await ask(
      `postgres://postgres@${HERE}/postgres`,
      "create database docket template template0 encoding 'UTF8'",
    );
    return true;
  });
  await docket("account", "add", "ann@example.org", "--password-stdin");
  const token = await docket("session", "create", "--name", "phone");
  for (const one of servers) one.start();
  await atWork();
  const writers = ["a", "b", "c", "d"].map((name) => push(token, name));
  await soon("a first answer", async () => (load.lastAnswer > 0 ? true : null));
  for (const loss of LOSSES) await play(loss);
  load.isOver = true;
  await Promise.all(writers);
  await inStep();
  const there = new Set(
    (await ask(DATABASE, "select title from record where title <> ''")).split("\n"),
  );
  const missing = [...answered].filter((title) => !there.has(title));
  const counts = Map.groupBy(there, (title) => title.replace(/ \d$/, ""));
  const half = [...counts.values()].filter((titles) => titles.length !== 5);
  process.stdout.write(
    `${answered.size} tasks answered, ${missing.length} missing; ${half.length} pushes half done; ${load.refused} pushes refused or unanswered\n`,
  );
  process.exitCode = missing.length + half.length > 0 ? 1 : 0;
} finally {
  await end();
}
