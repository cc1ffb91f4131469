import { shortenedTo } from "../domain/base/text.ts";
import { innerAddress } from "../domain/tasks/inner-address.ts";
import { MAX_TITLE, MAX_URL } from "../domain/tasks/task.ts";

/** A tab as a file of another tool has it. A tab without a title has its address as title. */
export type ImportedTab = { readonly url: string; readonly title: string };

/** Something that an import leaves out, cut to 200 characters, and why. */
export type Skipped = {
  readonly what: string;
  readonly reason:
    "duplicate" | "empty" | "empty_group" | "invalid" | "text" | "too_long" | "unsupported";
};

export const skip = (what: string, reason: Skipped["reason"]): Skipped => ({
  what: cut(what, 200),
  reason,
});

/** Reads one tab of another tool, or says why it cannot be one. */
export const readTab = (address: string, title: string): ImportedTab | Skipped => {
  const inner = innerAddress(address.replaceAll(/[\t\r\n\0]/g, "").trim());
  const { url } = inner;
  const reason = reasonAgainst(url);
  if (reason !== null) return skip(url, reason);
  const own = oneLine(title);
  const isNone = own === "" || own === address || own === "Suspended Tab";
  return { url, title: (isNone && oneLine(inner.title ?? "")) || own || cut(url, MAX_TITLE) };
};

const reasonAgainst = (url: string): Skipped["reason"] | null => {
  if (url === "") return "empty";
  const parsed = URL.parse(url);
  if (/^https?:/i.test(url) ? !parsed?.host : !/^[a-z][a-z0-9+.-]*:/i.test(url)) return "invalid";
  if (!/^https?:\/\//i.test(url)) return "unsupported";
  return url.length > MAX_URL ? "too_long" : null;
};

/** A title on one line, cut to the length of titles. */
const oneLine = (title: string): string =>
  cut(title.replaceAll(/[\s\p{Cc}]+/gu, " ").trim(), MAX_TITLE);

/** A text cut to `most` characters, of which the last is an ellipsis. */
const cut = (text: string, most: number): string =>
  text.length <= most ? text : shortenedTo(text, most - 1);
