import { MAX_KEY_WAITING, MAX_WAITING } from "../../../server/news.ts";
import { MAX_IDS } from "../../../server/tasks/filter.ts";
import { MOST_WHOLE } from "../../../server/tasks/listing.ts";
import { DEFAULT_LIMIT } from "../../../server/tasks/fields.ts";
import { KNOWN_STATUSES } from "../../../domain/tasks/task.ts";
import { TASK_FILTERS } from "../../../domain/tasks/task-filters.ts";
import { NOW } from "./examples.ts";

// What the query parameters mean, and anything the handlers check that the schemas do not.

/** Describes a parameter that takes an RFC 3339 time. A `+` should be percent-encoded. */
const since = (description: string) => ({
  description: `${description} An RFC 3339 time with any offset, or a date, which is its start in UTC.`,
  schema: { anyOf: [{ format: "date-time" }, { format: "date" }] },
  example: NOW,
});

/** One status in a list: 1 to 64 printable characters, without blanks at either end. Blanks around it are ignored. */
const EDGE = "[^,\\s\\u0000-\\u001F\\u007F-\\u009F]";
const INSIDE = "[^,\\u0000-\\u001F\\u007F-\\u009F\\u2028\\u2029]{0,62}";
const STATUS = `\\s*${EDGE}(?:${INSIDE}${EDGE})?\\s*`;

const FILTERS = Object.fromEntries(
  Object.entries(TASK_FILTERS).map(([name, { about }]) => [name, about]),
);

/** The query of the list of tasks. */
export const LIST_QUERY = {
  status: {
    description: `Only tasks with one of these statuses, separated by commas. Closed tasks are included. The known statuses are ${KNOWN_STATUSES.join(", ")}. An API key may write them in any case, and gets 422 for one that no task has.`,
    schema: { pattern: `^${STATUS}(?:,${STATUS})*$` },
    example: "todo,in_progress",
  },
  q: {
    description:
      "1 to 16 different words. All of them must occur in the title, the tabs' titles and urls, or the notes. The best matches come first. Each part of an address, each emoji, and each character of Chinese, Japanese or Thai counts as a word. No character in the words has a special meaning. A search looks at no more than the 10,000 matching tasks that changed last, and for half a second. If it leaves any out, the reply has `partial`.",
    example: "night trains",
  },
  closed: {
    description:
      "Whether to list closed tasks as well as open ones. You cannot combine it with `status`.",
    schema: { default: false },
  },
  project_id: {
    description:
      "A folder's id or exact name, or `none` for tasks without a folder. A folder that does not exist, or a name that two folders have, is refused.",
  },
  ...FILTERS,
  url: { description: "Only tasks that have a tab with exactly this url." },
  ids: {
    description: `Only these tasks: up to ${MAX_IDS} ids with commas between them, at most 5,000 characters. Closed tasks are included. Those that are not there are left out. You cannot combine it with \`q\` or \`url\`.`,
  },
  include: {
    description: `Lists of each task to return with it: \`tabs\`, \`notes\` or \`tabs,notes\`. A page then has at most ${MOST_WHOLE} tasks, and about 256 KiB.`,
  },
  claimed: {
    description: "Only tasks that a key works on, with `true`. Only others, with `false`.",
  },
  since: since("Only tasks that changed after this `server_time`."),
  limit: {
    description: "How many tasks to return in one page.",
    schema: { default: DEFAULT_LIMIT },
  },
  cursor: {
    description: "`next_cursor` of the previous page. Send the same filters as for that page.",
  },
};

/** The query of every write to a task. */
export const OVERRIDE_QUERY = {
  override: {
    description:
      "Whether to write although another key works on the task. Without it, you get 409.",
    schema: { default: false },
  },
};

/** The query of calls that file tabs. */
export const FILE_QUERY = {
  skip_existing: {
    description:
      "Whether to leave out tabs whose address is there already. Fragments and tracking parameters make no difference. The reply has the tab that is there, with `existing`. A key needs `read` for it.",
    schema: { default: false },
  },
};

export const PULL_QUERY = {
  since: since("`server_time` of the last pull that you stored. Without it, you get everything."),
  limit: {
    description:
      "About how many records to return in one page. A page can be longer, because it never splits records that were saved together. While `has_more` is true, pull again with the page's `server_time`.",
  },
  wait: {
    description: `If nothing is new, how many seconds to wait for a change before the reply. At most ${MAX_WAITING} calls of a session can wait at a time.`,
    schema: { default: 0 },
  },
};

export const CHANGES_QUERY = {
  since: since("`server_time` of the last reply. Without it, you get nothing but the time."),
  limit: {
    description:
      "About how many changes to return. A reply can be longer, because it never splits what was saved together. While `has_more` is true, ask again with its `server_time`.",
    schema: { default: DEFAULT_LIMIT },
  },
  wait: {
    description: `If nothing is new, how many seconds to wait for a change before the reply. It costs one call. At most ${MAX_KEY_WAITING} calls of a key can wait at a time.`,
    schema: { default: 0 },
  },
};

export const PUSH_QUERY = {
  since: since(
    "`server_time` of the last pull that you stored. It tells the server which of an agent's tabs and notes you have seen. If your push leaves out one that you have seen, it is removed. One that you have not seen is put back.",
  ),
};
