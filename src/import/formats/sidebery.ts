import { isObject, listField, type Payload } from "../../domain/base/payload.ts";
import { type Entry, type Link, type LinkGroup, type Parser, windowsOf } from "../model.ts";
import { textOf } from "../text.ts";

type PanelLink = { readonly panel: string; readonly link: Link };

/** Reads a snapshot of Sidebery: its panels, over all windows. */
export const readSidebery: Parser = ({ json }) => {
  if (!isObject(json) || !isObject(json["sidebar"]) || !Array.isArray(json["tabs"])) return null;
  const { sidebar, tabs, time } = json;
  const panels = isObject(sidebar["panels"]) ? sidebar["panels"] : {};
  const names = windowsOf(tabs.map(() => ""));
  const links = tabs.flatMap((window, at) => linksIn(window, time, names[at]));
  const order = [...listField(sidebar, "nav").map(textOf), ...Object.keys(panels)];
  const known = [...new Set(order)].filter((id) => isTabPanel(panels[id]));
  const loose = links.filter(({ panel }) => !known.includes(panel));
  const pinned = loose.filter(({ link }) => link.pinned === true);
  const lost = loose.filter(({ link }) => link.pinned !== true);
  return {
    format: "sidebery",
    tool: "Sidebery",
    entries: [
      ...entryOf("Pinned tabs", pinned),
      ...known.flatMap((id) =>
        entryOf(
          textOf((panels[id] as Payload)["name"]),
          links.filter(({ panel }) => panel === id),
          panels[id] as Payload,
          id,
        ),
      ),
      ...entryOf("Other tabs", lost),
    ],
    skipped: [],
  };
};

/** Panels of bookmarks hold no tabs. */
const isTabPanel = (panel: unknown): boolean => isObject(panel) && panel["type"] !== 1;

/** A window is a list of lists of tabs. */
const linksIn = (
  window: unknown,
  date: unknown,
  name: LinkGroup | undefined,
): readonly PanelLink[] =>
  (Array.isArray(window) ? window : [window])
    .flat()
    .filter(isObject)
    .map((tab) => ({
      panel: textOf(tab["panelId"]),
      link: {
        address: tab["url"],
        title: textOf(tab["customTitle"]).trim() === "" ? tab["title"] : tab["customTitle"],
        pinned: tab["pinned"] === true,
        window: name ?? null,
        date,
      },
    }));

const entryOf = (
  title: string,
  links: readonly PanelLink[],
  panel: Payload = {},
  key?: string,
): readonly Entry[] => {
  if (links.length === 0) return [];
  const colour = textOf(panel["color"]);
  return [
    {
      folder: null,
      title,
      links: links.map(({ link }) => link),
      colour: colour === "" || colour === "toolbar" ? null : colour,
      ...(key === undefined ? {} : { key }),
    },
  ];
};
