import { isObject, listField, type Payload } from "../../domain/base/payload.ts";
import type { Entry, Link, LinkGroup, Parser } from "../model.ts";
import { textOf } from "../text.ts";

/** Reads a backup of Simple Tab Groups. */
export const readSimpleTabGroups: Parser = ({ json }) => {
  if (!isObject(json)) return null;
  const groups = listField(json, "groups").filter(isObject);
  if (!groups.some(({ tabs }) => Array.isArray(tabs))) return null;
  const pinned = listField(json, "pinnedTabs").filter(isObject);
  const links = pinned.map((tab) => linkOf(tab, NO_GROUPS, true));
  return {
    format: "simple-tab-groups",
    tool: "Simple Tab Groups",
    entries: [
      ...(links.length > 0 ? [{ folder: null, title: "Pinned tabs", links }] : []),
      ...groups.map(entryOf),
    ],
    skipped: [],
  };
};

const NO_GROUPS: ReadonlyMap<string, LinkGroup> = new Map();

const entryOf = (group: Payload): Entry => {
  const { id, iconColor, isArchive } = group;
  const native = new Map(
    listField(group, "groupsNative")
      .filter(isObject)
      .map((one): [string, LinkGroup] => [
        String(one["id"]),
        {
          id: String(one["id"]),
          title: textOf(one["title"]),
          colour: textOf(one["color"]) || null,
        },
      ]),
  );
  const colour = textOf(iconColor).trim();
  return {
    folder: null,
    title: textOf(group["title"]),
    links: listField(group, "tabs")
      .filter(isObject)
      .map((tab) => linkOf(tab, native, tab["pinned"] === true)),
    colour: colour === "" || colour === "transparent" ? null : colour,
    tags: isArchive === true ? ["archived"] : [],
    ...(typeof id === "string" || typeof id === "number" ? { key: `${id}` } : {}),
  };
};

const linkOf = (tab: Payload, native: ReadonlyMap<string, LinkGroup>, pinned: boolean): Link => ({
  address: tab["url"],
  title: tab["title"],
  pinned,
  group: native.get(String(tab["groupNativeId"])) ?? null,
});
