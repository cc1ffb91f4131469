import { isObject, listField, type Payload } from "../../domain/base/payload.ts";
import type { Entry, Link, Parser } from "../model.ts";
import { textOf } from "../text.ts";

/** Reads an export of Toby: version 3 (`lists`), or version 4, which has groups of lists. */
export const readToby: Parser = ({ json }) => {
  if (!isObject(json)) return null;
  const groups = listField(json, "groups").filter(isObject);
  const lists = [
    ...listField(json, "lists").map((list) => ({ folder: null, list })),
    ...groups.flatMap((group) =>
      listField(group, "lists").map((list) => ({ folder: textOf(group["name"]) || null, list })),
    ),
  ];
  const isToby = lists.some(({ list }) => isObject(list) && Array.isArray(list["cards"]));
  if (!isToby) return null;
  const labels = labelsIn(json["labels"]);
  return {
    format: "toby",
    tool: "Toby",
    entries: lists.flatMap(({ folder, list }) =>
      isObject(list) ? entryOf(list, folder, labels) : [],
    ),
    skipped: [],
  };
};

/** The names of labels by their ids: a map, or a list. */
const labelsIn = (labels: unknown): ReadonlyMap<string, string> => {
  const pairs = Array.isArray(labels)
    ? labels.filter(isObject).map((label) => [textOf(label["id"]), label] as const)
    : Object.entries(isObject(labels) ? labels : {});
  return new Map(
    pairs.map(([id, label]) => [id, isObject(label) ? textOf(label["title"]) : textOf(label)]),
  );
};

const entryOf = (
  list: Payload,
  folder: string | null,
  labels: ReadonlyMap<string, string>,
): Entry => {
  const cards = listField(list, "cards").filter(isObject);
  const { id } = list;
  return {
    folder,
    title: textOf(list["title"]),
    links: cards.filter((card) => textOf(card["url"]).trim() !== "").map(linkOf),
    // A card without an address is a note.
    notes: cards
      .filter((card) => textOf(card["url"]).trim() === "")
      .map((card) => [titleOf(card), textOf(card["customDescription"])].join("\n")),
    tags: [
      ...listField(list, "labels").map(textOf),
      ...listField(list, "labelIds").flatMap((label) => labels.get(textOf(label)) ?? []),
    ],
    ...(typeof id === "string" ? { key: id } : {}),
  };
};

const linkOf = (card: Payload): Link => ({
  address: card["url"],
  title: titleOf(card),
  note: textOf(card["customDescription"]),
});

const titleOf = (card: Payload): string =>
  textOf(card["customTitle"]).trim() === "" ? textOf(card["title"]) : textOf(card["customTitle"]);
