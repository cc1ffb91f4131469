import { join } from "node:path";
import { run, serve } from "../support/program.ts";
import { type Call, type Sent, startSender } from "./_sending.ts";

// How long others wait while one call is answered.

/** One call that could hold a server up, made by ann. `before` are pushes that it needs. */
type Case = {
  readonly name: string;
  readonly before: readonly (readonly object[])[];
  readonly call: Call;
};

/** In ms: how long the call itself took, and the longest that anyone else waited. */
export type Waited = {
  readonly took: number;
  readonly status: number;
  readonly health: number;
  readonly list: number;
  readonly probes: number;
};

/** In ms. */
const EVERY = 5;
const MOMENT = 100;
/** Flags of a server whose keys have no limits that matter. */
export const UNLIMITED = ["--rate-per-minute", "100000", "--rate-per-hour", "100000"];

const letters = (count: number, from: number, range: number): string =>
  Array.from({ length: count }, () =>
    String.fromCodePoint(from + Math.floor(Math.random() * range)),
  ).join("");
const han = (count: number): string => letters(count, 0x4e00, 20_000);

const task = (id: string, payload: object, more: object = {}): object => ({
  table: "sync_tasks",
  id,
  updated_at: new Date().toISOString(),
  payload,
  ...more,
});
const tasks = (count: number, payload: (at: number) => object, more: object = {}) =>
  Array.from({ length: count }, (_, at) => task(`t${at}`, payload(at), more));
const pages = (count: number, of: number): readonly object[] =>
  Array.from({ length: count }, (_, at) => ({
    url: `https://site${of}.example/${at}/${letters(8, 0x61, 26)}`,
  }));

const later = (): object => ({ updated_at: new Date(Date.now() + 5_000).toISOString() });
const first = (): object => ({ updated_at: "2026-01-01T00:00:00.000Z" });
const V1 = "/api/public/v1";
const push = (body: readonly object[]): Call => ({
  method: "POST",
  path: `${V1}/sync`,
  body: JSON.stringify(body),
});
const get = (path: string): Call => ({ method: "GET", path: V1 + path, body: null });
const search = (q: string): Call => get(`/tasks?q=${encodeURIComponent(q)}`);
const prose = (count: number): string =>
  Array.from({ length: count }, () => letters(4, 0x61, 26)).join(" ");

const inFolder = (part: number): readonly object[] =>
  tasks(500, (at) => ({ title: `t ${at}`, project_id: "f" })).map((one, at) => ({
    ...one,
    id: `p${part} ${at}`,
  }));

/** A list of an account with 100,000 tasks in one folder. */
const inLongList = (query: string): Omit<Case, "name"> => {
  const folder = task("f", { name: "Folder" }, { table: "sync_projects" });
  const parts = Array.from({ length: 200 }, (_, part) => inFolder(part));
  return { before: [[folder], ...parts], call: get(query) };
};

/** As many fields as a payload can have. */
const withFields = (count: number, value: unknown): readonly object[] =>
  tasks(79, () =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [at.toString(36), value])),
  );

/** As many objects as a payload can have. */
const withObjects = (value: number): readonly object[] =>
  tasks(8, () => ({ value, list: Array.from({ length: 120_000 }, () => ({})) }));

const withLongNotes = (): readonly object[] =>
  tasks(500, () => ({ title: "t", notes: [prose(20_000)] }));

export const CASES: Readonly<Record<string, () => Omit<Case, "name">>> = {
  nothing: () => ({ before: [], call: get("/me") }),
  "search: a character 24 times, in 20 tasks of 100,000": () => ({
    before: [
      tasks(20, () => ({
        title: "t",
        notes: Array.from({ length: 5 }, () => "\u6771".repeat(20_000)),
      })),
    ],
    call: search("\u6771".repeat(24)),
  }),
  "search: a word in each of 10,000 tasks": () => ({
    before: Array.from({ length: 20 }, (_, part) =>
      tasks(500, (at) => ({ title: `common ${at}`, notes: [prose(20)] })).map((one, at) => ({
        ...one,
        id: `p${part} ${at}`,
      })),
    ),
    call: search("common"),
  }),
  "list: a tag that none of 100,000 tasks has": () => inLongList("/tasks?tag=none"),
  "list: two statuses that none of 100,000 tasks has": () =>
    inLongList("/tasks?status=none,neither"),
  "list: folders, one with 100,000 tasks": () => inLongList("/projects"),
  "push: 480 tasks of 44,000 random CJK characters": () => ({
    before: [],
    call: push(tasks(480, () => ({ title: "t", notes: [han(44_000)] }))),
  }),
  "push: 500 tasks of 1,900 addresses": () => ({
    before: [],
    call: push(tasks(500, (at) => ({ title: "t", pages: pages(1_900, at) }))),
  }),
  "push: 500 tasks of 100,000 characters of notes": () => ({
    before: [],
    call: push(withLongNotes()),
  }),
  "push: 500 tasks of 100,000 characters of notes, in place of others": () => ({
    before: [withLongNotes()],
    call: push(withLongNotes().map((one) => ({ ...one, ...later() }))),
  }),
  "push: 79 tasks of 24,900 fields": () => ({
    before: [],
    call: push(withFields(24_900, 0)),
  }),
  "push: 79 tasks of 24,900 fields, in place of others": () => ({
    before: [withFields(24_900, 0)],
    call: push(withFields(24_900, 1).map((one) => ({ ...one, ...later() }))),
  }),
  "push: 79 tasks of 24,900 fields, at the same time as others": () => ({
    before: [withFields(24_900, 0).map((one) => ({ ...one, ...first() }))],
    call: push(withFields(24_900, 1).map((one) => ({ ...one, ...first() }))),
  }),
  "push: 8 tasks of 120,000 objects, at the same time as others": () => ({
    before: [withObjects(0).map((one) => ({ ...one, ...first() }))],
    call: push(withObjects(1).map((one) => ({ ...one, ...first() }))),
  }),
  "push: 6 tasks of 300,000 fields, each refused": () => ({
    before: [],
    call: push(withFields(300_000, 0).slice(0, 6)),
  }),
  "push: 500 tombstones of 1,500 tabs": () => {
    const holding = tasks(500, (at) => ({ title: "t", pages: pages(1_500, at) }));
    return {
      before: [holding],
      call: push(
        holding.map((one) => ({ ...one, ...later(), deleted_at: new Date().toISOString() })),
      ),
    };
  },
};

/** Runs one case on a new server of that program. */
export const measureWaits = async (
  program: readonly string[],
  folder: string,
  name: string,
): Promise<Waited> => {
  const directory = join(folder, "data");
  const made = CASES[name]?.();
  if (!made) throw new Error(`There is no case ${name}.`);
  const server = await serve(program, ["--data", directory, "--log", "off", ...UNLIMITED]);
  const sender = startSender(folder);
  try {
    const session = await makeSessionOf(program, directory, "ann@example.org");
    const bob = await makeSessionOf(program, directory, "bob@example.org");
    const send = (call: Call) => sender.send(server.url, session, call);
    for (const body of made.before) await send(push(body));
    // An index that is not there yet is made first: that is not what is measured here.
    if (made.call.body === null) while ((await send(made.call)).status === 503);
    return await waitsDuring(server.url, bob, sender.ready(server.url, session, made.call));
  } finally {
    await sender.stop();
    await server.stop("SIGKILL");
  }
};

/** Probes a server with another account's token while a call to it is answered, and for a moment before and after. */
export const waitsDuring = async (
  url: string,
  token: string,
  call: () => Promise<Sent>,
): Promise<Waited> => {
  const probe = startProbe(url, token);
  await Bun.sleep(MOMENT);
  const { status, took } = await call();
  await Bun.sleep(MOMENT);
  return { status, took, ...(await probe.end()) };
};

/** Adds an account with the program itself, because an older one cannot use data that a newer one has migrated. */
export const makeSessionOf = async (
  program: readonly string[],
  directory: string,
  email: string,
): Promise<string> => {
  await run(program, ["account", "add", email, "--data", directory]);
  const words = ["session", "create", "--account", email, "--name", "laptop"];
  return (await run(program, [...words, "--data", directory])).out.trim();
};

/** Asks for `/healthz` and for another account's tasks every 5 ms, whether or not the earlier ones are answered. */
const startProbe = (url: string, token: string) => {
  const longest = { health: 0, list: 0, probes: 0 };
  const open = new Set<Promise<void>>();
  const ask = (what: "health" | "list", path: string): void => {
    const start = performance.now();
    const asked: Promise<void> = fetch(url + path, {
      headers: { authorization: `Bearer ${token}` },
    })
      .then((reply) => reply.arrayBuffer())
      .then(() => {
        longest[what] = Math.max(longest[what], performance.now() - start);
        longest.probes += 1;
        open.delete(asked);
      });
    open.add(asked);
  };
  const timer = setInterval(() => {
    // A server that answers nothing gets no more questions than it can have open.
    if (open.size > 200) return;
    ask("health", "/healthz");
    ask("list", "/api/public/v1/tasks");
  }, EVERY);
  return {
    end: async () => {
      clearInterval(timer);
      await Promise.all(open);
      return longest;
    },
  };
};
