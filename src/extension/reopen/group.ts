import { browser } from "../browser/api.ts";
import { patiently } from "../browser/patiently.ts";
import { groupColour } from "./colours.ts";

/** Puts tabs of one window into a new group, with a name and a colour. Does nothing where the browser has no groups. */
export const putInGroup = async (
  tabIds: readonly number[],
  { title, colour }: { readonly title: string; readonly colour: string | null },
): Promise<void> => {
  const { tabs, tabGroups } = browser;
  const [first] = tabIds;
  if (!tabs.group || !tabGroups || first === undefined) return;
  const { windowId } = await tabs.get(first);
  const { group } = tabs;
  const id = await patiently(() => group({ tabIds, createProperties: { windowId } }));
  const color = groupColour(colour);
  await patiently(() => tabGroups.update(id, { title, ...(color === null ? {} : { color }) }));
};
