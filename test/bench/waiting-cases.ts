import type { Call } from "./sending.ts";

// The calls of ann's that could hold a server up.

/** `before` are pushes that the call needs. */
export type Case = {
  readonly before: readonly (readonly object[])[];
  readonly call: Call;
  /** What is measured after it on the same server, for its round there; null if that needs a new server. */
  readonly again: (round: number) => Call | null;
};

const V1 = "/api/public/v1";

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
const atNewYear = (records: readonly object[]): readonly object[] =>
  records.map((one) => ({ ...one, updated_at: "2026-01-01T00:00:00.000Z" }));
export const push = (body: readonly object[]): Call => ({
  method: "POST",
  path: `${V1}/sync`,
  body: JSON.stringify(body),
});
const get = (path: string): Call => ({ method: "GET", path: V1 + path, body: null });
const message = (method: string, params: object): Call => ({
  method: "POST",
  path: "/mcp",
  body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
});
/** A call that changes nothing. */
const reads = (path: string, before: Case["before"] = []): Case => {
  const call = get(path);
  return { before, call, again: () => call };
};
/** A call that a server answers for the first time: then it loads a part of the program. */
const first = (call: Call): Case => ({ before: [], call, again: () => null });
/** A call that changes nothing, although it has a body. */
const repeats = (call: Call): Case => ({ before: [], call, again: () => call });
const withNames = (count: number): object => ({
  _meta: Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 0])),
});
/** A push of new tasks, named anew in each round. After some rounds, the data are large enough. */
const pushesNew = (body: readonly object[]): Case => {
  const call = push(body);
  const named = (round: number) => (call.body ?? "").replaceAll('"id":"t', `"id":"r${round} t`);
  return {
    before: [],
    call,
    again: (round) => (round < 10 ? { ...call, body: named(round) } : null),
  };
};
/** A push that needs a new server each time. */
const pushesOn = (before: readonly object[], body: readonly object[]): Case => ({
  before: [before],
  call: push(body),
  again: () => null,
});
const search = (q: string): string => `/tasks?q=${encodeURIComponent(q)}`;
const prose = (count: number): string =>
  Array.from({ length: count }, () => letters(4, 0x61, 26)).join(" ");

const inFolder = (part: number, more: object = {}): readonly object[] =>
  tasks(500, (at) => ({ title: `t ${at}`, project_id: "f", bucket_id: "b", ...more })).map(
    (one, at) => ({ ...one, id: `p${part} ${at}` }),
  );

/** Pushes of 100,000 tasks in one folder and one bucket. */
const longList = (): Case["before"] => {
  const folder = task("f", { name: "Folder" }, { table: "sync_projects" });
  return [[folder], ...Array.from({ length: 200 }, (_, part) => inFolder(part))];
};

/** The same with notes of so many words, and then 10,000 of the tasks once more, changed. */
const changedList = (words: number): Case["before"] => {
  const notes = [prose(words)];
  const parts = Array.from({ length: 200 }, (_, part) => inFolder(part, { notes }));
  const changed = Array.from({ length: 20 }, (_, at) =>
    parts.flatMap((part) => part.filter((_one, place) => place % 200 === at)),
  );
  return [...parts, ...changed.map((list) => list.map((one) => ({ ...one, ...later() })))];
};

/** Its bucket, sent as the kind that it then is. */
const bucket = (kind: string): Call =>
  push([task("b", { name: "Bucket", kind }, { table: "sync_buckets" })]);

const movesBucket = (before: Case["before"]): Case => ({
  before,
  call: bucket("trash"),
  again: (round) => bucket(round % 2 === 0 ? "trash" : "later"),
});

/** As many fields as a payload can have. */
const withFields = (count: number, value: unknown): readonly object[] =>
  tasks(20, () =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [at.toString(36), value])),
  );

const versionsOfOne = (more: () => object): readonly object[] =>
  tasks(220, (at) => ({ title: `t ${at}`, tags: [prose(13_000)] })).map((one, at) => ({
    ...one,
    id: "one",
    updated_at: new Date(Date.parse("2026-01-01") + at).toISOString(),
    ...more(),
  }));

/** As many objects as a payload can have. */
const withObjects = (value: number): readonly object[] =>
  tasks(5, () => ({ value, list: Array.from({ length: 49_900 }, () => ({})) }));

let texts = 0;
/** Texts of 12 characters, each there once. */
const withShortTexts = (count: number, each: number): readonly object[] =>
  tasks(count, () => ({
    title: "t",
    tags: Array.from({ length: each }, () => (texts++).toString(36).padStart(12, "q")),
  }));

/** The tasks that are replaced were stored one by one, as a push of all is refused. */
const replacesShortTexts = (count: number, each: number): Case => {
  const stored = withShortTexts(count, each);
  return {
    before: stored.map((one) => [one]),
    call: push(tasks(count, () => ({ title: "t" })).map((one) => ({ ...one, ...later() }))),
    again: () => null,
  };
};

const withLongNotes = (): readonly object[] =>
  tasks(160, () => ({ title: "t", notes: [prose(20_000)] }));

export const CASES: Readonly<Record<string, () => Case>> = {
  nothing: () => reads("/me"),
  "first: a page after a start": () => first({ method: "GET", path: "/sign-in", body: null }),
  "first: a call of a tool after a start": () =>
    first(message("tools/call", { name: "find_tasks", arguments: {} })),
  "first: a task with 14,900 tabs after a start": () =>
    first({
      method: "POST",
      path: `${V1}/tasks`,
      body: JSON.stringify({ title: "t", tabs: pages(14_900, 0) }),
    }),
  "tools: a message with 90,000 names": () => repeats(message("tools/list", withNames(90_000))),
  "tools: a message with 4,900 names": () => repeats(message("tools/list", withNames(4_900))),
  "search: a character 24 times, in 20 tasks of 100,000": () =>
    reads(search("\u6771".repeat(24)), [
      tasks(20, () => ({
        title: "t",
        notes: Array.from({ length: 5 }, () => "\u6771".repeat(20_000)),
      })),
    ]),
  "search: a word in each of 10,000 tasks": () =>
    reads(
      search("common"),
      Array.from({ length: 20 }, (_, part) =>
        tasks(500, (at) => ({ title: `common ${at}`, notes: [prose(20)] })).map((one, at) => ({
          ...one,
          id: `p${part} ${at}`,
        })),
      ),
    ),
  "list: a tag that none of 100,000 tasks has": () => reads("/tasks?tag=none", longList()),
  "list: two statuses that none of 100,000 tasks has": () =>
    reads("/tasks?status=none,neither", longList()),
  "list: folders, one with 100,000 tasks": () => reads("/projects", longList()),
  "push: a bucket of 100,000 tasks that becomes a trash bucket, or no longer is one": () =>
    movesBucket(longList()),
  "push: the same bucket, of tasks of 600 words, 10,000 of them changed since": () =>
    movesBucket(changedList(600)),
  "push: the same bucket, of tasks of 900 words, 10,000 of them changed since": () =>
    movesBucket(changedList(900)),
  "push: 120 tasks of 44,000 random CJK characters": () =>
    pushesNew(tasks(120, () => ({ title: "t", notes: [han(44_000)] }))),
  "push: 500 tasks of 480 addresses": () =>
    pushesNew(tasks(500, (at) => ({ title: "t", pages: pages(480, at) }))),
  "push: 160 tasks of 100,000 characters of notes": () => pushesNew(withLongNotes()),
  "push: 160 tasks of 100,000 characters of notes, in place of others": () =>
    pushesOn(
      withLongNotes(),
      withLongNotes().map((one) => ({ ...one, ...later() })),
    ),
  "push: 20 tasks of 24,900 fields": () => pushesNew(withFields(24_900, 0)),
  "push: 20 tasks of 24,900 fields, in place of others": () =>
    pushesOn(
      withFields(24_900, 0),
      withFields(24_900, 1).map((one) => ({ ...one, ...later() })),
    ),
  "push: 20 tasks of 24,900 fields, at the same time as others": () =>
    pushesOn(atNewYear(withFields(24_900, 0)), atNewYear(withFields(24_900, 1))),
  "push: 5 tasks of 49,900 objects, at the same time as others": () =>
    pushesOn(atNewYear(withObjects(0)), atNewYear(withObjects(1))),
  "push: 6 tasks of 80,000 fields, each refused": () =>
    pushesNew(withFields(80_000, 0).slice(0, 6)),
  "push: 220 changes of one task with 220 versions, each on another one": () =>
    pushesOn(
      versionsOfOne(() => ({})),
      versionsOfOne(() => ({ expected_updated_at: null })),
    ),
  "push: 16 tasks of 30,000 short texts, all different": () =>
    pushesNew(withShortTexts(16, 30_000)),
  "push: 6 tasks of 5,000 short texts, in place of others": () =>
    pushesOn(
      withShortTexts(6, 5_000),
      withShortTexts(6, 5_000).map((one) => ({ ...one, ...later() })),
    ),
  "push: 60 short tasks in place of tasks of 30,000 short texts": () =>
    replacesShortTexts(60, 30_000),
  "push: 400 short tasks in place of tasks of 2,900 short texts": () =>
    replacesShortTexts(400, 2_900),
  "push: 500 tombstones of 480 tabs": () => {
    const holding = tasks(500, (at) => ({ title: "t", pages: pages(480, at) }));
    const deleted_at = new Date().toISOString();
    return pushesOn(
      holding,
      holding.map((one) => ({ ...one, ...later(), deleted_at })),
    );
  },
};
