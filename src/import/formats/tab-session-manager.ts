import { isObject, listField, type Payload } from "../../domain/base/payload.ts";
import { type Entry, type Link, type LinkGroup, type Parser, windowsOf } from "../model.ts";
import { skip } from "../tab.ts";
import { textOf } from "../text.ts";

/** Marks of sessions that the tool saved by itself. */
const AUTOMATIC = ["regular", "winClose", "browserExit", "temp", "auto"];
const NO_TAGS = [...AUTOMATIC, "user"];

/** Reads the sessions of Tab Session Manager. */
export const readTabSessionManager: Parser = ({ json, isAll = false }) => {
  if (!Array.isArray(json)) return null;
  const sessions = json.filter(isObject);
  if (!sessions.some(({ windows, tag }) => isObject(windows) && tag !== undefined)) return null;
  const isLeftOut = (session: Payload): boolean => !isAll && isAutomatic(session);
  const automatic = sessions.filter(isLeftOut);
  const own = sessions.filter((session) => !isLeftOut(session));
  return {
    format: "tab-session-manager",
    tool: "Tab Session Manager",
    entries: own.map(entryOf),
    skipped: automatic.map(({ name }) => skip(textOf(name), "automatic")),
  };
};

/** The marks of a session. Before 1.9.2 they were words in one text. */
const tagsIn = ({ tag }: Payload): readonly string[] => {
  const tags: readonly unknown[] =
    typeof tag === "string" ? tag.split(/\s+/) : listField({ tag }, "tag");
  return tags.filter((one) => typeof one === "string");
};

const isAutomatic = (session: Payload): boolean =>
  tagsIn(session).some((tag) => AUTOMATIC.includes(tag));

const entryOf = (session: Payload): Entry => {
  const windows = isObject(session["windows"]) ? session["windows"] : {};
  const ids = Object.keys(windows).toSorted((a, b) => Number(a) - Number(b));
  const names = windowsOf(ids.map(() => ""));
  const groups = groupsOf(session);
  const links = ids.flatMap((id, at) =>
    tabsIn(windows[id]).map((tab): Link => ({
      address: tab["url"],
      title: tab["title"],
      pinned: tab["pinned"] === true,
      window: names[at] ?? null,
      group: groups.get(String(tab["groupId"])) ?? null,
      date: session["date"],
    })),
  );
  const { id, name } = session;
  const tags = tagsIn(session).filter((tag) => !NO_TAGS.includes(tag));
  return {
    folder: null,
    title: textOf(name),
    links,
    tags,
    ...(typeof id === "string" ? { key: id } : {}),
  };
};

/** An object by ids: a parser that sorts these like numbers loses the order. */
const tabsIn = (window: unknown): readonly Payload[] =>
  (isObject(window) ? Object.values(window) : [])
    .filter(isObject)
    .toSorted((a, b) => Number(a["index"] ?? 0) - Number(b["index"] ?? 0));

const groupsOf = (session: Payload): ReadonlyMap<string, LinkGroup> =>
  new Map(
    listField(session, "tabGroups")
      .filter(isObject)
      .map(({ id, title, color }) => [
        String(id),
        { id: String(id), title: textOf(title), colour: textOf(color) || null },
      ]),
  );
