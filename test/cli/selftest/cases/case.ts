import { type Asked, changed, type Pass, type Wrong } from "../../../support/cli/wrong.ts";

/** A server that breaks one rule, and the checks that must fail against it: no others may. */
export type Case = {
  readonly name: string;
  readonly wrong: () => Wrong;
  readonly fails: readonly string[];
};

export type Answer = (asked: Asked, pass: Pass) => Promise<Response> | null;

/** A server that answers requests whose method and path match in its own way. */
export const when = (
  name: string,
  line: RegExp,
  answer: Answer,
  ...fails: readonly string[]
): Case => ({
  name,
  wrong: () => (asked, pass) => (line.test(asked.line) ? answer(asked, pass) : null),
  fails,
});

/** The same, but only for requests of one caller. */
export const by = (
  who: string,
  name: string,
  line: RegExp,
  answer: Answer,
  ...fails: readonly string[]
): Case =>
  when(name, line, (asked, pass) => (asked.who === who ? answer(asked, pass) : null), ...fails);

// oxlint-disable-next-line typescript/no-explicit-any
export type Json = any;

const isPush = (asked: Asked): boolean => asked.line === "POST /sync" && Array.isArray(asked.json);

/** A server that changes the records of a push before it stores them. */
export const pushing = (
  name: string,
  edit: (records: Json[], seen: Set<string>) => Json[],
  ...fails: readonly string[]
): Case => ({
  name,
  wrong: () => {
    const seen = new Set<string>();
    return (asked, pass) =>
      isPush(asked) && asked.who === "session" ? pass({ body: edit(asked.json, seen) }) : null;
  },
  fails,
});

/** A server that changes its replies. */
export const replying = (
  name: string,
  line: RegExp,
  edit: (json: Json, asked: Asked) => unknown,
  ...fails: readonly string[]
): Case =>
  when(name, line, (asked, pass) => changed(pass(), (json) => edit(json, asked)), ...fails);

export const TASK = /^GET \/tasks\/./;
export const LIST = /^GET \/tasks$/;
export const PULL = /^GET \/sync$/;

export const rows = (json: Json, edit: (rows: Json[]) => Json[]): Json => ({
  ...json,
  changes: json.changes && {
    ...json.changes,
    sync_tasks: edit(json.changes.sync_tasks),
  },
});

export const withQuery = (query: string, edit: (query: URLSearchParams) => void): string => {
  const changes = new URLSearchParams(query);
  edit(changes);
  return `?${changes}`;
};
