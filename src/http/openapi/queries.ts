import { DEFAULT_LIMIT } from "../../server/tasks/fields.ts";
import { KNOWN_STATUSES } from "../../domain/tasks/task.ts";
import { TASK_FILTERS } from "../../domain/tasks/task-filters.ts";
import { NOW } from "./examples.ts";

// What query parameters mean, and what is judged of them beside their schemas.

/** An RFC 3339 time; `+` should be percent-encoded. */
const since = (description: string) => ({
  description: `${description} An RFC 3339 time with any offset.`,
  schema: { format: "date-time" },
  example: NOW,
});

/** One status of several: what is cut off around it, and printable text that neither begins nor ends with that. */
const EDGE = "[^,\\s\\u0000-\\u001F\\u007F-\\u009F]";
const INSIDE = "[^,\\u0000-\\u001F\\u007F-\\u009F\\u2028\\u2029]{0,62}";
const STATUS = `\\s*${EDGE}(?:${INSIDE}${EDGE})?\\s*`;

const FILTERS = Object.fromEntries(
  Object.entries(TASK_FILTERS).map(([name, { about }]) => [name, about]),
);

/** Those of the list of tasks. */
export const LIST_QUERY = {
  status: {
    description: `Exactly these statuses, with commas between, closed ones too. Known are ${KNOWN_STATUSES.join(", ")}.`,
    schema: { pattern: `^${STATUS}(?:,${STATUS})*$` },
    example: "todo,in_progress",
  },
  q: {
    description:
      "1 to 16 words, all of which must occur in the title, the tabs' titles and urls, or the notes: what matches best comes first. They are words and nothing else; no sign in them has a meaning.",
    example: "night trains",
  },
  closed: {
    description:
      "Whether closed tasks are listed beside the open ones. Not together with `status`, which says so itself.",
    schema: { default: false },
  },
  project_id: {
    description:
      "A folder's id, or `none` for tasks in no folder. An unknown one is that of no task.",
  },
  ...FILTERS,
  url: { description: "Only tasks that hold exactly this tab." },
  since: since("Only what was changed later than this `server_time`."),
  limit: {
    description: "Tasks of one page.",
    schema: { default: DEFAULT_LIMIT },
  },
  cursor: {
    description: "`next_cursor` of the page before, with the same filters as there.",
  },
};

export const PULL_QUERY = {
  since: since("`server_time` of the last pull that was stored. Without it, all comes."),
  limit: {
    description:
      "About how many records a page may hold; it ends with a whole commit. While `has_more` is true, go on with the page's `server_time`.",
  },
};

export const PUSH_QUERY = {
  since: since(
    "`server_time` of the last pull that was stored: a tab or note of an agent that is missing from the push is then known to have been thrown away, and else put back.",
  ),
};
