import { type Case, LIST, replying, when, withQuery } from "./case.ts";

export const LISTS: readonly Case[] = [
  when(
    "lists closed tasks too",
    LIST,
    ({ query, who }, pass) =>
      who === "session" && !/status|cursor|limit=2(?!0)/.test(query)
        ? pass({ query: withQuery(query, (each) => each.set("closed", "true")) })
        : null,
    "GET /tasks lists open tasks, newest change first",
  ),
  replying(
    "lists the oldest change first",
    LIST,
    (json) => (json.tasks ? { ...json, tasks: json.tasks.toReversed() } : json),
    "GET /tasks lists open tasks, newest change first",
    "cursor leads through all pages, each task once",
  ),
  when(
    "ignores the filter status",
    LIST,
    ({ query }, pass) =>
      query.includes("status=todo&")
        ? pass({ query: query.replace("status=todo&", "status=done&") })
        : null,
    "status, project_id and created_by filter the list",
  ),
  when(
    "ignores since in a list",
    LIST,
    ({ query }, pass) =>
      query.includes("since=20") && !query.includes("limit")
        ? pass({ query: withQuery(query, (each) => each.delete("since")) })
        : null,
    "since leaves out what changed before",
  ),
  replying(
    "has only one page",
    LIST,
    (json) => ({ ...json, next_cursor: json.tasks ? null : undefined }),
    "cursor leads through all pages, each task once",
  ),
  when(
    "begins again for a cursor that it does not know",
    LIST,
    ({ query }, pass) => (query === "?cursor=x" ? pass({ query: "" }) : null),
    "A bad query answers 422",
  ),
];
