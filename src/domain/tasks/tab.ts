import { type FiledChild, authorship, childId, childValue, isChild } from "./child.ts";
import { formatInstant, parseInstant } from "../base/instant.ts";
import { isObject, textField } from "../base/payload.ts";
import { columnText } from "../base/text.ts";

/** A tab as REST returns it. `id` is null if the extension stored it without one. */
export type Tab = {
  readonly id: string | null;
  readonly url: string;
  readonly title: string;
  readonly created_by: "agent" | "person";
  readonly created_by_key: string | null;
  readonly created_at: string | null;
};

/** Tabs in one request (specification, section 8). */
export const MAX_TABS = 100;
export const MAX_URL = 8192;

/** Returns the tabs in a task's `pages`, in the order filed. Ignores items that are not tabs. */
export const readTabs = (pages: readonly unknown[], agents: readonly FiledChild[]): Tab[] => {
  const authorOf = authorship(agents, "pages");
  return pages.flatMap((page, at) => {
    if (!isChild(page)) return [];
    const url = columnText(childValue("pages", page) ?? "");
    const author = authorOf(at);
    return {
      id: idText(page),
      url,
      title: columnText((isObject(page) && textField(page, "title")) || url),
      created_by: author.created_by,
      created_by_key: author.created_by_key,
      created_at: author.created_at ?? instantText(page),
    };
  });
};

export const idText = (item: unknown): string | null => {
  const id = childId(item);
  return id === null ? null : columnText(id);
};

export const instantText = (item: unknown): string | null => {
  const text = isObject(item) ? textField(item, "created_at") : null;
  const instant = text === null ? null : parseInstant(text);
  return instant === null ? null : formatInstant(instant);
};

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
