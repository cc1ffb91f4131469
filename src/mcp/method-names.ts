import { isObject } from "../domain/base/payload.ts";
import { TOOLS } from "./tools.ts";

/** The protocol's methods that the activity list names. Any other is listed as `other`. */
const METHODS = [
  "initialize",
  "notifications/initialized",
  "ping",
  "server/discover",
  "tools/list",
];

/** Returns what a message calls, as the activity list names it: a tool, a method of the protocol, or `other`. */
export const nameCall = (message: unknown): string => {
  if (!isObject(message)) return "other";
  const { id, method, params } = message;
  // Without an id, the message is a notification: no tool is called.
  const calls = method === "tools/call" && id !== undefined;
  const name = calls && isObject(params) ? params["name"] : method;
  const known = calls ? TOOLS.map((tool) => tool.name) : METHODS;
  return known.find((one) => one === name) ?? "other";
};
