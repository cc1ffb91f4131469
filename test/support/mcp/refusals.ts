import { SAYS } from "../replies.ts";

const TABS = [{ url: "https://a.example/" }];
const manyTabs = Array.from({ length: 101 }, () => ({ url: "https://a.example/" }));
const NEVER =
  "An API key can never delete anything, so it cannot send deleted_at. Nothing was changed.";
const FOLDER = "does not match any folder in this account";

/**
 * A call to a tool and how it is refused: the status in the activity list, the sentence, the task
 * it names.
 */
export type Case = readonly [
  tool: string,
  args: unknown,
  status: number,
  says: RegExp | string,
  task?: string,
];

export const CASES: readonly Case[] = [
  ["read_task", { task_id: "none" }, 404, SAYS.noTaskInTools, "task:none"],
  ["read_task", { task_id: "" }, 422, "task_id must have 1 to 255 characters, but has 0."],
  ["read_task", {}, 422, "task_id is missing."],
  ["read_task", { task_id: 7 }, 422, "task_id must be a task's id, or inbox."],
  ["read_task", { task_id: "t", tabs_from: -1 }, 422, /^tabs_from must be tabs_next of/],
  ["read_task", { task_id: "t", tabs_from: 0.5 }, 422, /^tabs_from must be tabs_next of/],
  [
    "read_task",
    { task_id: "t", what: 1 },
    422,
    'read_task has no argument "what". Its arguments are task_id, tabs_from, notes_from.',
  ],
  [
    "find_tasks",
    { status: "\u0001" },
    422,
    "status must be one or more statuses separated by commas, such as todo,done.",
  ],
  [
    "find_tasks",
    { status: ["todo"] },
    422,
    "status must be one or more statuses separated by commas, such as todo,done.",
  ],
  [
    "find_tasks",
    { folder: "Nowhere" },
    422,
    `folder ${FOLDER}. Send an id or exact name from list_folders. The nearest: "Work".`,
  ],
  [
    "find_tasks",
    { q: "一丁丂七丄丅丆万丈三上下丌不与丏丐" },
    422,
    "q must contain at most 16 different words, but contains 17. Search for fewer words or a shorter part of the text. " +
      "Each part of an address, each emoji, and each character of Chinese, Japanese or Thai counts as a word.",
  ],
  [
    "find_tasks",
    { q: "東".repeat(200) },
    422,
    /^q must contain at most 24 words in all, .*, but contains 200\. /,
  ],
  ["find_tasks", { created_by: "bob" }, 422, "created_by must be agent or person."],
  [
    "find_tasks",
    { since: "yesterday" },
    422,
    "since must be an RFC 3339 time, such as 2026-01-31T09:30:00.000Z.",
  ],
  ["find_tasks", { limit: 0 }, 422, "limit must be a whole number from 1 to 50."],
  ["find_tasks", { limit: 51 }, 422, "limit must be a whole number from 1 to 50."],
  ["find_tasks", { limit: "five" }, 422, "limit must be a whole number from 1 to 50."],
  [
    "find_tasks",
    { cursor: "x" },
    422,
    "cursor is not valid. Send the next_cursor of the previous page, or leave cursor out to start again.",
  ],
  [
    "find_tasks",
    { query: "x" },
    422,
    /^find_tasks has no argument "query"\. Its arguments are q, status, closed, /,
  ],
  ["add_task", {}, 422, "title is missing."],
  ["add_task", { title: "" }, 422, "title must have 1 to 500 characters, but has 0."],
  [
    "add_task",
    { title: "x".repeat(501) },
    422,
    "title must have 1 to 500 characters, but has 501.",
  ],
  [
    "add_task",
    { title: "t", folder: "Nowhere" },
    422,
    `folder ${FOLDER}. Send an id or exact name from list_folders. The nearest: "Work".`,
  ],
  [
    "add_task",
    { title: "t", status: "\u0001" },
    422,
    /^status must be todo, .*1 to 64 printable characters/,
  ],
  ["add_task", { title: "t", tabs: [] }, 422, "tabs must have 1 to 100 items, but has 0."],
  ["add_task", { title: "t", tabs: manyTabs }, 422, "tabs must have 1 to 100 items, but has 101."],
  ["add_task", { title: "t", tabs: [{ title: "x" }] }, 422, "tabs.0.url is missing."],
  [
    "add_task",
    { title: "t", tabs: ["https://a.example/"] },
    422,
    'tabs.0 must be an object, such as {"url": "https://…"}.',
  ],
  ["add_task", { title: "t", notes: [{ text: "n" }] }, 422, "notes.0 must be a string."],
  [
    "add_task",
    { title: "t", created_by: "person" },
    422,
    /^add_task has no argument "created_by"\. Its arguments are title,/,
  ],
  [
    "add_task",
    { title: "t", bucket_id: "trash" },
    422,
    /^add_task has no argument "bucket_id"\. Its arguments are title,/,
  ],
  ["add_task", { title: "t", deleted_at: null }, 403, NEVER],
  [
    "add_task",
    { title: "t", tabs: [{ url: "https://a.example/", x: { deleted_at: 1 } }] },
    403,
    NEVER,
  ],
  ["add_task", { title: "\0" }, 400, "The arguments contain a NUL character."],
  [
    "add_task",
    { title: "t", notes: ["\ud800"] },
    400,
    /^The arguments contain text that is cut off in the middle/,
  ],
  [
    "add_task",
    { title: "t", idempotency_key: "" },
    422,
    /^idempotency_key must have 1 to 255 characters/,
  ],
  [
    "add_task",
    { title: "t", idempotency_key: "ü" },
    422,
    /^idempotency_key must be 1 to 255 printable ASCII characters of your own/,
  ],
  [
    "add_task",
    { title: "t", idempotency_key: 7 },
    422,
    /^idempotency_key must be 1 to 255 printable ASCII characters of your own/,
  ],
  ["file_tabs", {}, 422, "tabs is missing."],
  [
    "file_tabs",
    { tabs: [{ url: "javascript:alert(1)" }] },
    422,
    "The url of tab 0 must be a full http:// or https:// address.",
  ],
  [
    "file_tabs",
    { tabs: [{ url: "https://u:p@b.example/" }] },
    422,
    "The url of tab 0 must not contain a user name or password.",
  ],
  ["file_tabs", { task_id: "none", tabs: TABS }, 404, SAYS.noTaskInTools, "task:none"],
  ["file_tabs", { task_id: "odd", tabs: TABS }, 422, /pages/, "task:odd"],
  [
    "file_tabs",
    { task_id: "full", tabs: [{ url: `https://a.example/${"x".repeat(5_000)}` }] },
    422,
    "The task would become larger than 960 KiB, to which a key may fill it. File this into another task.",
    "task:full",
  ],
  ["file_tabs", { tabs: [{ url: "https://a.example/", deleted_at: null }] }, 403, NEVER],
  ["write_note", { task_id: "t" }, 422, "text is missing."],
  [
    "write_note",
    { task_id: "t", text: "x".repeat(20_001) },
    422,
    "text must have 1 to 20000 characters, but has 20001.",
  ],
  ["write_note", { task_id: "none", text: "n" }, 404, SAYS.noTaskInTools, "task:none"],
  ["write_note", { task_id: "odd", text: "n" }, 422, /notes/, "task:odd"],
  [
    "change_tasks",
    { task_ids: ["t"] },
    422,
    "There is nothing to change. Send title, status, colour, folder, due, tags or position.",
    "task:t",
  ],
  ["change_tasks", { task_ids: ["none"], title: "u" }, 404, SAYS.noTaskInTools, "task:none"],
  ["change_tasks", { task_ids: ["t"], title: 7 }, 422, "title must be a string."],
  ["change_tasks", { task_ids: ["t"], deleted_at: "now" }, 403, NEVER],
  [
    "change_tasks",
    { task_ids: ["t"], bucket_id: "trash" },
    422,
    /^change_tasks has no argument "bucket_id"\. Its arguments are task_ids, title,/,
  ],
  [
    "change_tasks",
    { task_ids: ["t"], colour: "x".repeat(65) },
    422,
    "colour must be a string of at most 64 characters, or null. It has 65.",
  ],
  [
    "change_tasks",
    { task_ids: ["t"], folder: "" },
    422,
    `folder ${FOLDER}. Send an id or exact name from list_folders. The nearest: "Work".`,
    "task:t",
  ],
  ["list_folders", { from: "first" }, 422, "from must be next of the last answer."],
  ["add_folder", {}, 422, "name is missing."],
  [
    "add_folder",
    { name: "x".repeat(201) },
    422,
    "name must have 1 to 200 characters, but has 201.",
  ],
  [
    "add_folder",
    { name: "n", task_count: 9 },
    422,
    'add_folder has no argument "task_count". Its arguments are name, colour, idempotency_key.',
  ],
  ["release_task", {}, 422, "task_id is missing."],
  ["claim_task", { task_id: "t", for: "1s" }, 422, /^for must be a length of time/, "task:t"],
  ["claim_task", { folder: "Nowhere" }, 422, /^folder does not match any folder/],
  ["find_changes", { since: "yesterday" }, 422, /^since must be/],
  [
    "change_tasks",
    { task_ids: ["t", "odd"], title: "u", if_match: '"x"' },
    422,
    "if_match names the version of one task. Send one id with it.",
  ],
];
