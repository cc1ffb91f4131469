import { Refusal } from "../../domain/base/refusal.ts";
import { withoutSecrets } from "../../domain/base/secret.ts";
import type { Match } from "../match.ts";
import { shortenedTo } from "../../domain/base/text.ts";

/**
 * Refuses DELETE and PUT on every path, known or not (405). Checked first: nothing can be deleted through this API.
 */
export const refuseDeletion = (method: string, match: Match | null): void => {
  if (method !== "DELETE" && method !== "PUT") return;
  throw new Refusal(
    "wrong_method",
    `${method} is not allowed on any path. Nothing can be deleted or replaced through this API.`,
    { allow: allowedMethods(match) },
  );
};

/**
 * Returns the endpoint at a path. Refuses an unknown path (404) and a method that the path does not allow (405). HEAD
 * is allowed wherever GET is.
 */
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

/** The value of the `Allow` header. Every path answers OPTIONS, so it is never empty (RFC 9110, section 15.5.6). */
export const allowedMethods = (match: Match | null): string => {
  const methods = [...(match?.methods ?? [])];
  return [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ");
};

/** A path as an error message may repeat it: without credentials, at most 100 characters. */
const shortened = (path: string): string => shortenedTo(withoutSecrets(path), 100);
