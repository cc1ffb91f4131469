import { Icon } from "../../ui/parts/marks.tsx";
import type { Tab } from "../browser/api.ts";
import { iconAddress } from "../save/icons.ts";

/** The icon of an open tab, as the browser has it. */
export const OpenIcon = ({ tab }: { readonly tab: Tab }) => {
  const address = iconAddress(tab);
  return address === null ? (
    <Icon name="globe" size={16} />
  ) : (
    <img class="favicon" src={address} width={16} height={16} alt="" draggable={false} />
  );
};
