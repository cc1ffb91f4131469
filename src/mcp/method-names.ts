import { isObject } from "../domain/base/payload.ts";
import { TOOLS } from "./tools.ts";

/** Methods of the protocol that the activity names. What else a client sends is not kept. */
const METHODS = [
  "initialize",
  "notifications/initialized",
  "ping",
  "server/discover",
  "tools/list",
];

/** What is called: a tool's name, else the protocol's method, as the activity names it. */
export const nameCall = (message: unknown): string => {
  if (!isObject(message)) return "other";
  const { id, method, params } = message;
  // Without an id it wants no answer, and the protocol calls nothing.
  const calls = method === "tools/call" && id !== undefined;
  const name = calls && isObject(params) ? params["name"] : method;
  const known = calls ? TOOLS.map((tool) => tool.name) : METHODS;
  return known.find((one) => one === name) ?? "other";
};
