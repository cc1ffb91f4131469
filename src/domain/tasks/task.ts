import type { Author } from "../people/account.ts";
import type { Instant } from "../base/instant.ts";
import { type Payload, textField } from "../base/payload.ts";
import { cutText, isPrintable, rowText } from "../base/text.ts";

export const MAX_TITLE = 500;
export const MAX_TAGS = 20;
export const MAX_TAG = 50;
export const MAX_COLOUR = 64;
export const MAX_STATUS = 64;
export const DEFAULT_STATUS = "todo";

/** What the extension is known to use. */
export const KNOWN_STATUSES = [
  "todo",
  "in_progress",
  "blocked",
  "in_review",
  "done",
  "cancelled",
  "proposed",
];

/**
 * The status of what a key creates that was made for review. Until a person has kept it, it waits in one place, and no list
 * has it that does not ask for it.
 */
export const PROPOSED = "proposed";

/** How many proposed tasks of one key may wait. */
export const MAX_PROPOSED = 100;

/** Other words for known statuses that agents write. */
const MEANT: Readonly<Record<string, string>> = {
  to_do: "todo",
  complete: "done",
  completed: "done",
  finished: "done",
  canceled: "cancelled",
};

/** Returns the known status that a text means, whatever its case and the blanks in it: `done` for `Done`. Null if none. */
export const knownStatus = (text: string): string | null => {
  const plain = text
    .normalize("NFKC")
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, "_");
  const meant = Object.hasOwn(MEANT, plain) ? MEANT[plain] : plain;
  return KNOWN_STATUSES.find((known) => known === meant) ?? null;
};

/** The title of the inbox task, which receives the tabs sent to `/inbox/tabs` (specification, section 2). */
export const INBOX_TITLE = "Agent unsorted";

/** Statuses with which a task no longer counts as open. Any other status, known or not, is open. */
export const CLOSED_STATUSES = ["done", "completed", "closed", "cancelled", "canceled", "archived"];

/** Those with which lists leave a task out unless they ask for it. */
export const UNLISTED_STATUSES = [...CLOSED_STATUSES, PROPOSED];

export const isTitleTooLong = (text: string): boolean => text.length > MAX_TITLE;

/**
 * Splits a text into a title and what is over, which belongs into notes. A title that is not the whole text ends with an
 * ellipsis, and is cut between two words if there is a place to.
 */
export const splitTitle = (
  text: string,
): { readonly title: string; readonly rest: readonly string[] } => {
  if (!isTitleTooLong(text)) return { title: text, rest: [] };
  const most = cutText(text, MAX_TITLE - 1).length;
  const blank = text.slice(0, most + 1).search(/\s\S*$/);
  const end = blank > MAX_TITLE / 2 ? blank : most;
  return { title: `${text.slice(0, end)}…`, rest: inNotes(text.slice(end).trim()) };
};

/** Splits a text that is too long for one note. */
export const inNotes = (text: string): readonly string[] => {
  const first = cutText(text, MAX_NOTE);
  return first.length === text.length ? [text] : [first, ...inNotes(text.slice(first.length))];
};

/** Whether lists of open tasks have a task of this status. */
export const isListed = (status: string): boolean => !UNLISTED_STATUSES.includes(status);

export const isClosed = (status: string): boolean => CLOSED_STATUSES.includes(status);

/**
 * Whether the text may be a status. The extension owns its statuses: any 1 to 64 printable characters are
 * stored as sent.
 */
export const isStatus = (text: unknown): text is string =>
  typeof text === "string" && text.length >= 1 && text.length <= MAX_STATUS && isPrintable(text);

/**
 * Returns a field's text as columns and rows hold it; null if the field is absent, empty or of another type.
 */
export const columnField = (payload: Payload, field: string): string | null => {
  const text = textField(payload, field);
  return text === null ? null : rowText(text);
};

/** The parts of a task's row that come from its record, not from the payload. */
export type RecordMeta = {
  readonly id: string;
  readonly author: Author;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly deletedAt: string | null;
};

/** The statuses that the extension is known to use, as people read them, in the order in which work goes on. */
const NAMES: Readonly<Record<string, string>> = {
  todo: "To do",
  in_progress: "In progress",
  blocked: "Blocked",
  in_review: "In review",
  done: "Done",
  cancelled: "Cancelled",
};

/** Returns a status in words. One that we do not know is shown nearly as its client wrote it. */
export const statusName = (status: string): string =>
  Object.hasOwn(NAMES, status)
    ? (NAMES[status] ?? status)
    : status.replaceAll("_", " ").replace(/^\p{L}/u, (first) => first.toUpperCase());

/** The id of a bucket that is a trash bucket whatever its record says, and if there is none. */
export const TRASH = "trash";

/**
 * Whether a bucket is a trash bucket: by its kind, or by its id. `payload` is null if there is no live record
 * of the bucket.
 */
export const isTrashBucket = (id: string, payload: Payload | null): boolean =>
  id === TRASH || payload?.["kind"] === "trash";

/** Whether a task in this bucket is in the trash. `stored` is the bucket's record, null if the account never had one. */
export const holdsTrash = (id: string, stored: { readonly trashed: number } | null): boolean =>
  stored ? stored.trashed === 1 : isTrashBucket(id, null);

/** The id of the bucket in which a task of this payload lies, null for none. */
export const bucketIdOf = (payload: Payload): string | null => {
  const id = textField(payload, "bucket_id");
  return id === null ? null : rowText(id);
};

/** Characters of a note. */
export const MAX_NOTE = 20_000;
/** Notes in one `POST /tasks`. */
export const MAX_NOTES = 100;

/** Tabs in one request (specification, section 8). */
export const MAX_TABS = 100;
export const MAX_URL = 8192;

/**
 * Returns why a key may not file this URL, or null if it may. A person will open the tab in a browser later,
 * so no scheme may run code, and no `user:password` may hide the host.
 */
export const urlRefusal = (url: string): string | null => {
  if (/[\s\p{Cc}]/u.test(url))
    return "must not contain spaces or control characters. Percent-encode them";
  const parsed = URL.parse(url);
  if (!parsed || !/^https?:\/\//i.test(url)) return "must be a full http:// or https:// address";
  if (/^https?:\/\/[^/?#\\]*@/i.test(url)) return "must not contain a user name or password";
  return null;
};
