import { type Case, by, LIST, PULL, replying, TASK } from "./case.ts";
import { changed, own } from "../../../support/cli/wrong.ts";

export const KEYS: readonly Case[] = [
  by(
    "key",
    "calls a key something else",
    /^GET \/me/,
    (_asked, pass) =>
      changed(pass(), (json) => (json.error ? json : { ...json, credential: "key" })),
    "GET /me describes the key",
  ),
  by(
    "key",
    "lets keys pull",
    PULL,
    (_asked, pass) => pass({ who: "session" }),
    "A key cannot sync (403)",
  ),
  by(
    "key",
    "lets keys push",
    /^POST \/sync/,
    (_asked, pass) => pass({ who: "session" }),
    "A key cannot sync (403)",
  ),
  by(
    "key",
    "accepts a DELETE by key",
    /^DELETE /,
    () => own(200, {}),
    "DELETE and PUT by a key answer 405, and delete nothing",
  ),
  by(
    "key",
    "lets keys send deleted_at as null",
    /^PATCH /,
    ({ json }, pass) => (json.deleted_at === null ? pass({ body: {} }) : null),
    "A key cannot set deleted_at (403), and nothing of its request is applied",
  ),
  by(
    "key",
    "applies the rest of a request that it refuses",
    /^PATCH /,
    ({ json }, pass) =>
      "deleted_at" in json
        ? pass({ body: { colour: json.colour } }).then(() => own(403, { error: "No." }))
        : null,
    "A key cannot set deleted_at (403), and nothing of its request is applied",
  ),
  by(
    "key",
    "lets keys move tasks to trash",
    /^PATCH /,
    ({ json }, pass) => ("bucket_id" in json ? pass({ who: "session" }) : null),
    "A key cannot move a task to trash (403)",
  ),
  by(
    "key",
    "takes a key's notes for a person's",
    /\/notes$/,
    (_asked, pass) => pass({ who: "session" }),
    "Tasks, tabs and notes by a key are marked as an agent's",
  ),
  by(
    "key",
    "believes who a key says it is",
    /^POST \/tasks$/,
    ({ json }, pass) => (json.created_by === "person" ? pass({ who: "session" }) : null),
    "A key cannot pass for a person",
  ),
  replying(
    "believes a device about who made a task",
    TASK,
    (json) => (String(json.title).endsWith("stays") ? { ...json, created_by: "person" } : json),
    "What an agent made stays an agent's when a device pushes it",
  ),
  by(
    "key",
    "lets keys file any address",
    /\/tabs$/,
    ({ json, text }, pass) =>
      text.includes("javascript:")
        ? pass({ body: [{ ...json[0], url: "https://x.example/" }] })
        : null,
    "A key files addresses of http and https only",
  ),
  by(
    "reader",
    "lets a key without write create folders",
    /^POST \/projects/,
    (_asked, pass) => pass({ who: "key" }),
    "A key with only read may read, and not write (403)",
  ),
  by(
    "writer",
    "lets a key without read list tasks",
    LIST,
    (_asked, pass) => pass({ who: "key" }),
    "A key with only write may write, and not read (403)",
  ),
];
