import { isObject, listField, type Payload } from "../../domain/base/payload.ts";
import type { Link, Parser } from "../model.ts";
import { textOf } from "../text.ts";
import { entriesOf, type Folder } from "../tree.ts";

/** Reads a backup of Linkwarden. */
export const readLinkwarden: Parser = ({ json }) => {
  if (!isObject(json)) return null;
  const collections = listField(json, "collections").filter(isObject);
  if (!collections.some(({ links }) => Array.isArray(links))) return null;
  const ids = new Set(collections.map(({ id }) => id));
  const isTop = ({ id, parentId }: Payload): boolean => !ids.has(parentId) || parentId === id;
  const within = Map.groupBy(
    collections.filter((one) => !isTop(one)),
    ({ parentId }) => parentId,
  );
  const reached = new Set<unknown>();
  const folderOf = (collection: Payload): Folder => {
    reached.add(collection["id"]);
    const beneath = within.get(collection["id"]) ?? [];
    const [notes, colour] = [textOf(collection["description"]), textOf(collection["color"])];
    return {
      name: textOf(collection["name"]),
      links: listField(collection, "links").filter(isObject).map(linkOf),
      folders: beneath.filter(({ id }) => !reached.has(id)).map(folderOf),
      notes: notes === "" ? [] : [notes],
      colour: colour === "" ? null : colour,
    };
  };
  const folders = collections.filter(isTop).map(folderOf);
  // Collections that are in one another, and in no other.
  const rings = collections.flatMap((one) => (reached.has(one["id"]) ? [] : folderOf(one)));
  const top = { name: "", links: [], folders: [...folders, ...rings] };
  return { format: "linkwarden", tool: "Linkwarden", ...entriesOf(top, "Linkwarden") };
};

/** The description is a note, or stands for a title that is missing. */
const linkOf = (link: Payload): Link => {
  const [name, description] = [textOf(link["name"]), textOf(link["description"])];
  const tags = listField(link, "tags")
    .filter(isObject)
    .map((tag) => textOf(tag["name"]));
  return {
    address: link["url"],
    title: name.trim() === "" ? description : name,
    date: link["createdAt"],
    tags,
    ...(name.trim() === "" ? {} : { note: description }),
  };
};
