import { Refusal } from "../../domain/base/refusal.ts";
import { withoutSecrets } from "../../domain/base/secret.ts";
import type { Match } from "../match.ts";

/** Refuses DELETE and PUT, before anything else is asked and whatever is at the path. */
export const refuseDeletion = (method: string, match: Match | null): void => {
  if (method !== "DELETE" && method !== "PUT") return;
  throw new Refusal(
    "wrong_method",
    `${method} is not allowed on any path. Nothing can be deleted or replaced through this API.`,
    { allow: allowedMethods(match) },
  );
};

/** What is at the path. Refuses an unknown path, and a method that the path does not take. HEAD goes where GET does. */
export const checkEndpoint = (method: string, path: string, match: Match | null): Match => {
  if (!match) throw new Refusal("not_found", `There is nothing at ${shortened(path)}.`);
  if (match.methods.has(method === "HEAD" ? "GET" : method)) return match;
  const allow = allowedMethods(match);
  throw new Refusal(
    "wrong_method",
    `${method} is not allowed on this path. Use one of: ${allow}.`,
    { allow },
  );
};

/** The field `Allow`. Every path answers OPTIONS, so it is never empty (RFC 9110, 15.5.6). */
export const allowedMethods = (match: Match | null): string => {
  const methods = [...(match?.methods ?? [])];
  return [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ");
};

/** A path as an error may repeat it. */
const shortened = (path: string): string => {
  const text = withoutSecrets(path);
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
};
