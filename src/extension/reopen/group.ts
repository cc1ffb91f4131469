import { browser } from "../browser/api.ts";
import { patiently } from "../browser/kept.ts";

type Group = {
  readonly title: string;
  readonly colour: string | null;
  readonly collapsed: boolean;
  /** The browser's number of it, if it may be open. */
  readonly open?: number | null;
};

/**
 * Puts tabs into a group with a name and a colour: the open one, if it is still there, or else a new one in the window of
 * the tabs. Returns the browser's number of it. Does nothing where the browser has no groups, and returns null.
 */
export const putInGroup = async (
  tabIds: readonly number[],
  wanted: Group,
): Promise<number | null> => {
  const { tabs, tabGroups } = browser;
  const [first] = tabIds;
  const { group } = tabs;
  if (!group || !tabGroups || first === undefined) return null;
  const groupId = await openGroup(wanted);
  if (groupId !== null) return patiently(() => group({ tabIds, groupId }));
  const { windowId } = await tabs.get(first);
  const id = await patiently(() => group({ tabIds, createProperties: { windowId } }));
  const color = groupColour(wanted.colour);
  const look = { title: wanted.title, ...(color === null ? {} : { color }) };
  await patiently(() => tabGroups.update(id, look));
  if (wanted.collapsed) await patiently(() => tabGroups.update(id, { collapsed: true }));
  return id;
};

/** Another group may have its number by now: browsers number their groups anew when they start. */
const openGroup = async ({ title, colour, open = null }: Group): Promise<number | null> => {
  if (open === null) return null;
  const there = await browser.tabGroups?.get(open).catch(() => null);
  return there && (there.title ?? "") === title && there.color === colour ? open : null;
};

/** The colours that browsers have for groups. */
const OFFERED = ["grey", "blue", "red", "yellow", "green", "pink", "purple", "cyan", "orange"];

const ALIASES: Readonly<Record<string, string>> = { teal: "cyan", gray: "grey" };

/** Returns the browser's colour for one that a task or group has; null if there is none like it. */
export const groupColour = (colour: string | null): string | null => {
  const name = colour?.toLowerCase() ?? "";
  const offered = ALIASES[name] ?? name;
  return OFFERED.includes(offered) ? offered : null;
};
