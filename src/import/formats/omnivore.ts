import { isObject, listField } from "../../domain/base/payload.ts";
import { entriesOfItems } from "../items.ts";
import type { Parser } from "../model.ts";
import { textOf } from "../text.ts";

/** Reads a part of Omnivore's export: a list of articles. */
export const readOmnivore: Parser = ({ json }) => {
  if (!Array.isArray(json)) return null;
  const articles = json.filter(isObject);
  if (!articles.some(({ url, savedAt, state }) => url && savedAt && state)) return null;
  const items = articles.map((article) => ({
    folder: null,
    title: textOf(article["title"]),
    status: article["state"] === "Archived" ? "done" : "todo",
    tags: listField(article, "labels").map((label) =>
      textOf(isObject(label) ? label["name"] : label),
    ),
    notes: [],
    links: [{ address: article["url"], title: article["title"], date: article["savedAt"] }],
  }));
  return { format: "omnivore", tool: "Omnivore", ...entriesOfItems(items) };
};
