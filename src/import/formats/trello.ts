import { isObject, listField, type Payload } from "../../domain/base/payload.ts";
import { readDue } from "../dates.ts";
import type { Entry, Parser } from "../model.ts";
import { textOf } from "../text.ts";
import { linksOf, withoutMarkdown } from "../words.ts";

/** Reads a board of Trello: each list is a folder, each card a task. */
export const readTrello: Parser = ({ json }) => {
  if (!isObject(json) || !Array.isArray(json["cards"]) || !Array.isArray(json["lists"]))
    return null;
  const board = textOf(json["name"]) || "Trello";
  const lists = new Map(
    inOrder(listField(json, "lists")).map((list, at) => [list["id"], { list, at }] as const),
  );
  const checklists = Map.groupBy(inOrder(listField(json, "checklists")), ({ idCard }) => idCard);
  const entries = inOrder(listField(json, "cards"))
    .map((card) => ({ card, place: lists.get(card["idList"]) }))
    .toSorted((a, b) => (a.place?.at ?? 0) - (b.place?.at ?? 0))
    .map(({ card, place }) => {
      const name = textOf(place?.list["name"]);
      const folder = name === "" ? board : `${board} / ${name}`;
      const isClosed = card["closed"] === true || place?.list["closed"] === true;
      return entryOf(card, { folder, isClosed, checklists: checklists.get(card["id"]) ?? [] });
    });
  return { format: "trello", tool: board, entries, skipped: [] };
};

const inOrder = (list: readonly unknown[]): readonly Payload[] =>
  list.filter(isObject).toSorted((a, b) => Number(a["pos"] ?? 0) - Number(b["pos"] ?? 0));

type Place = {
  readonly folder: string;
  readonly isClosed: boolean;
  readonly checklists: readonly Payload[];
};

const entryOf = (card: Payload, { folder, isClosed, checklists }: Place): Entry => {
  const [words, about, date] = [textOf(card["name"]), textOf(card["desc"]), textOf(card["due"])];
  const attached = listField(card, "attachments")
    .filter(isObject)
    .map(({ url, name }) => ({ address: url, title: name }));
  const { due } = readDue(date.replace("T", " "));
  return {
    folder,
    title: withoutMarkdown(words),
    status: isClosed || card["dueComplete"] === true ? "done" : "todo",
    due,
    tags: listField(card, "labels")
      .filter(isObject)
      .map((label) => textOf(label["name"]) || textOf(label["color"])),
    notes: [about, ...checklists.map(listText), date === "" ? "" : `Due: ${date}`],
    links: [...linksOf([words, about]), ...attached],
    isTodo: true,
    key: textOf(card["id"]),
  };
};

const listText = (checklist: Payload): string =>
  [
    textOf(checklist["name"]),
    ...inOrder(listField(checklist, "checkItems")).map(
      ({ name, state }) => `- [${state === "complete" ? "x" : " "}] ${textOf(name)}`,
    ),
  ].join("\n");
