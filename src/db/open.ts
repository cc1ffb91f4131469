// The one place that knows which engine keeps the data.
// oxlint-disable-next-line no-restricted-imports
export { openStore, type OpenOptions } from "./sqlite/open.ts";
