import { Parser as HtmlParser } from "htmlparser2";
import { entriesOfItems, type Item } from "../items.ts";
import type { Link, Parsed, Parser } from "../model.ts";
import { entriesOf, type Folder, pathName } from "../tree.ts";

/** A link in a page of bookmarks, with the attributes that tell how to read it. */
type Bookmark = {
  readonly attributes: Readonly<Record<string, string>>;
  readonly title: string;
  /** The text of the `<dd>` after it. */
  note: string;
  /** The heading that it stands under, outside of folders. */
  readonly heading: string;
};

type Shelf = {
  readonly name: string;
  readonly bookmarks: Bookmark[];
  readonly shelves: Shelf[];
};

/** Reads bookmarks of browsers and services, and Pocket's export, as HTML. */
export const readHtml: Parser = ({ text }) => {
  const isPage = /^\s*(?:<!--[^]*?-->\s*)*<(?:!doctype|html|dl|ul|h1|meta|title|a)\b/i.test(text);
  if (!/<dl[\s>]/i.test(text) && !(isPage && /<a\s[^>]*href/i.test(text))) return null;
  const top = shelvesIn(text);
  const all = bookmarksIn(top);
  if (all.some(({ attributes }) => "time_added" in attributes)) return pocketOf(all);
  const isStated = all.some(({ attributes }) => STATES.some((name) => name in attributes));
  const isFlat = top.shelves.length === 0 && all.some(({ attributes }) => "tags" in attributes);
  return isStated || isFlat
    ? { format: "netscape", tool: "Bookmarks", ...entriesOfItems(itemsIn(top, [])) }
    : { format: "netscape", tool: "Bookmarks", ...entriesOf(folderOf(top), "Bookmarks") };
};

/** Attributes with which services mark what is unread or private. */
const STATES = ["toread", "private", "shared"];

const bookmarksIn = ({ bookmarks, shelves }: Shelf): readonly Bookmark[] => [
  ...bookmarks,
  ...shelves.flatMap(bookmarksIn),
];

/**
 * The folders of a page. A heading before a `<dl>` names one. What closes is not trusted: browsers leave most of it out.
 */
const shelvesIn = (text: string): Shelf => {
  const top: Shelf = { name: "", bookmarks: [], shelves: [] };
  const open: Shelf[] = [top];
  let named: Shelf | null = null;
  let heading = "";
  let last: Bookmark | null = null;
  /** What the text belongs to that is read now, and what there is of it. */
  let reading: "dd" | "heading" | "link" | null = null;
  let words = "";
  let attributes: Readonly<Record<string, string>> = {};
  const shelf = (): Shelf => open.at(-1) ?? top;
  const settle = (): void => {
    if (reading === "link") {
      last = { attributes, title: words, note: "", heading };
      shelf().bookmarks.push(last);
    }
    if (reading === "heading") {
      named = {
        name: words.replaceAll(/\s+/g, " ").trim() || "Untitled",
        bookmarks: [],
        shelves: [],
      };
      shelf().shelves.push(named);
    }
    if (reading === "dd" && last) last.note = words;
    reading = null;
    words = "";
  };
  const parser = new HtmlParser({
    onopentag: (name, found) => {
      if (name === "br" && reading !== null) return void (words += "\n");
      if (reading === "link" && !STARTS.includes(name)) return undefined;
      if (reading === "heading" && name !== "dl") return undefined;
      settle();
      if (name === "a") [reading, attributes] = ["link", found];
      if (/^h[2-4]$/.test(name)) [reading, last] = ["heading", null];
      if (name === "h1") [reading, heading] = ["dd", ""];
      if (name === "dd") reading = "dd";
      if (name === "dl") {
        open.push(named ?? shelf());
        named = null;
        last = null;
      }
      return undefined;
    },
    ontext: (part) => {
      if (reading !== null) words += part;
    },
    onclosetag: (name, isImplied) => {
      if (name === "h1" && reading === "dd") [heading, reading, words] = [words.trim(), null, ""];
      if (isImplied && name !== "dl") return;
      if (name === "a" && reading === "link") settle();
      if (/^h[2-4]$/.test(name) && reading === "heading") settle();
      if (name !== "dl") return;
      settle();
      if (open.length > 1) open.pop();
      last = null;
    },
  });
  parser.write(text);
  parser.end();
  settle();
  return top;
};

/** What begins something else, even if a link was not closed. */
const STARTS = ["a", "dd", "dl", "dt", "h1", "h2", "h3", "h4", "hr"];

const linkOf = ({ attributes, title }: Bookmark): Link => ({
  address: attributes["href"] ?? "",
  title,
  date: attributes["add_date"] ?? attributes["time_added"],
});

const tagsOf = ({ attributes }: Bookmark): readonly string[] =>
  (attributes["tags"] ?? "").split(",");

const folderOf = ({ name, bookmarks, shelves }: Shelf): Folder => ({
  name,
  links: bookmarks.map((one) => ({ ...linkOf(one), note: one.note, tags: tagsOf(one) })),
  folders: shelves.map(folderOf),
});

/** linkding keeps a second note in the description, and whether a link is archived in a tag. */
const NOTES = /\[linkding-notes\]([^]*?)\[\/linkding-notes\]/;
const ARCHIVED = "linkding:bookmarks.archived";

const itemsIn = ({ bookmarks, shelves }: Shelf, path: readonly string[]): readonly Item[] => [
  ...bookmarks.map((one): Item => {
    const tags = tagsOf(one);
    const unread = one.attributes["toread"] ?? "1";
    const [, second = ""] = NOTES.exec(one.note) ?? [];
    return {
      folder: pathName(path),
      title: one.title,
      status: unread !== "1" || tags.includes(ARCHIVED) ? "done" : "todo",
      tags: tags.filter((tag) => tag !== ARCHIVED),
      notes: [one.note.replace(NOTES, ""), second],
      links: [linkOf(one)],
    };
  }),
  ...shelves.flatMap((shelf) => itemsIn(shelf, [...path, shelf.name])),
];

const pocketOf = (bookmarks: readonly Bookmark[]): Parsed => ({
  format: "pocket",
  tool: "Pocket",
  ...entriesOfItems(
    bookmarks.map((one) => ({
      folder: null,
      title: one.title,
      status: one.heading === "Read Archive" ? "done" : "todo",
      tags: tagsOf(one),
      notes: [],
      links: [linkOf(one)],
    })),
  ),
});
