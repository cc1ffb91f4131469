import { type Case, by, replying, TASK, when } from "./case.ts";
import { own } from "../../../support/cli/wrong.ts";

export const TASKS: readonly Case[] = [
  replying(
    "leaves out fields that are null",
    TASK,
    ({ deleted_at, ...json }) =>
      String(json.title).endsWith(" plain") ? json : { ...json, deleted_at },
    "POST /tasks creates a task, and GET /tasks/{id} returns it",
  ),
  by(
    "session",
    "drops notes",
    /^POST \/tasks$/,
    ({ json }, pass) => (json?.notes?.length === 2 ? pass({ body: { ...json, notes: [] } }) : null),
    "POST /tasks takes status, colour, tabs and notes",
  ),
  by(
    "session",
    "replaces a task when it is patched",
    /^PATCH \/tasks\/./,
    ({ json }, pass) =>
      json?.status === "in_review" ? pass({ body: { colour: null, ...json } }) : null,
    "PATCH changes the fields that are sent, and no others",
  ),
  when(
    "ignores If-Match",
    /^PATCH \/tasks\/./,
    (_asked, pass) => pass({ headers: { "if-match": null } }),
    "PATCH with an If-Match that no longer holds answers 412",
  ),
  when(
    "answers 403 for a task that does not exist",
    /^POST \/tasks\/.*-none\/notes/,
    () => own(403, { error: "No." }),
    "A task that does not exist answers 404",
  ),
  when(
    "reads any content type as JSON",
    /^POST \/tasks$/,
    ({ headers }, pass) =>
      headers.get("content-type")?.startsWith("text/plain")
        ? pass({ headers: { "content-type": "application/json" } })
        : null,
    "A bad body is refused with its own status, and creates nothing",
  ),
  by(
    "session",
    "ignores deleted_at in a PATCH",
    /^PATCH \/tasks\/./,
    ({ json }, pass) => ("deleted_at" in json ? pass({ body: {} }) : null),
    "A session's PATCH cannot delete (422)",
  ),
];

export const CHILDREN: readonly Case[] = [
  by(
    "session",
    "files tabs in another order",
    /\/tabs$/,
    ({ json }, pass) => (json?.length === 100 ? pass({ body: json.toReversed() }) : null),
    "POST /tasks/{id}/tabs files 100 tabs in their order",
  ),
  by(
    "session",
    "files the first 100 of 101 tabs",
    /\/tabs$/,
    ({ json }, pass) => (json?.length === 101 ? pass({ body: json.slice(0, 100) }) : null),
    "101 tabs, no tab, or something else is refused, and files nothing",
  ),
  by(
    "session",
    "accepts empty notes",
    /\/notes$/,
    ({ json }, pass) => (json?.text === "" ? pass({ body: { text: " " } }) : null),
    "POST /tasks/{id}/notes adds a note",
  ),
  replying(
    "calls its inbox something else",
    /^POST \/inbox\/tabs/,
    (json) => (json.task ? { ...json, task: { ...json.task, title: "Inbox" } } : json),
    "POST /inbox/tabs files into a task called Agent unsorted",
  ),
  by(
    "session",
    "lists no folders",
    /^GET \/projects/,
    () => own(200, { projects: [] }),
    "POST /projects creates a folder, and GET /projects lists it",
  ),
];
