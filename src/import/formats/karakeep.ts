import { isObject, listField, type Payload } from "../../domain/base/payload.ts";
import { entriesOfItems, type Item } from "../items.ts";
import type { Parser } from "../model.ts";
import { skip } from "../tab.ts";
import { cut, noteText, textOf } from "../text.ts";
import { pathName } from "../tree.ts";
import { linksOf } from "../words.ts";

/** How much of a text without a title is its title. */
const TITLE = 80;

/** Reads Karakeep's export. */
export const readKarakeep: Parser = ({ json }) => {
  if (!isObject(json) || !Array.isArray(json["bookmarks"])) return null;
  const bookmarks = listField(json, "bookmarks").filter(isObject);
  const lists = manualLists(json);
  const items = bookmarks.map((one) => itemOf(one, lists));
  const none = bookmarks.filter((_, at) => items[at] === null);
  const { entries, skipped } = entriesOfItems(items.filter((item) => item !== null));
  return {
    format: "karakeep",
    tool: "Karakeep",
    entries,
    skipped: [...none.map(({ title }) => skip(textOf(title).trim(), "no_content")), ...skipped],
  };
};

type Lists = ReadonlyMap<string, Payload>;

/** Smart lists are searches. */
const manualLists = (json: Payload): Lists =>
  new Map(
    listField(json, "lists")
      .filter(isObject)
      .filter(({ type }) => type !== "smart")
      .map((list) => [textOf(list["id"]), list]),
  );

/** The names from the outermost list to this one. A ring is cut. */
const pathOf = (id: string, lists: Lists, seen: readonly string[] = []): readonly string[] => {
  const list = lists.get(id);
  if (!list || seen.includes(id)) return [];
  return [...pathOf(textOf(list["parentId"]), lists, [...seen, id]), textOf(list["name"])];
};

/** Null if there is nothing in it that can be imported. */
const itemOf = (bookmark: Payload, lists: Lists): Item | null => {
  const content = isObject(bookmark["content"]) ? bookmark["content"] : {};
  const [first, ...others] = listField(bookmark, "lists")
    .map(textOf)
    .filter((id) => lists.has(id));
  const common = {
    folder: first === undefined ? null : pathName(pathOf(first, lists)),
    status: bookmark["archived"] === true ? "done" : "todo",
    tags: [
      ...listField(bookmark, "tags").map(textOf),
      ...others.map((id) => textOf(lists.get(id)?.["name"])),
    ],
  };
  const own = textOf(bookmark["note"]);
  const notes = own === "" ? [] : [own];
  const title = textOf(bookmark["title"]);
  if (content["type"] === "link") {
    const links = [{ address: content["url"], title, date: bookmark["createdAt"] }];
    return { ...common, title, links, notes };
  }
  const text = noteText(content["text"]);
  if (content["type"] !== "text" || text === "") return null;
  const [line = ""] = text.split("\n");
  return {
    ...common,
    title: title.trim() === "" ? cut(line, TITLE) : title,
    links: linksOf([text]),
    notes: [text, ...notes],
    isTodo: true,
  };
};
