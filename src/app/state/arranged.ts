import { route } from "./route.ts";

/** Whether the current list can be arranged by hand. Others have an order of their own. */
export const canArrange = (): boolean =>
  ["folder", "open", "today"].includes(route.value.view) && !route.value.query.has("tag");
