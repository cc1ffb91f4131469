import { type Case, by, replying, when } from "./case.ts";
import { changed, own } from "../../../support/cli/wrong.ts";

export const SERVER: readonly Case[] = [
  when(
    "has no /healthz",
    /healthz/,
    () => own(404, { error: "Nothing here." }),
    "GET /healthz answers 200 to everyone",
  ),
  when(
    "answers unknown paths with 200",
    /^GET \/no-such-path/,
    () => own(200, {}),
    "An unknown path answers 404",
  ),
  when(
    "asks for a credential before it refuses DELETE",
    /^DELETE /,
    ({ who }) => (who === "nobody" ? own(401, { error: "No." }) : null),
    "DELETE and PUT answer 405 on every path",
  ),
  when(
    "has no Allow header",
    /^PATCH \/sync/,
    (_asked, pass) => changed(pass(), undefined, { without: "allow" }),
    "A method that a path does not have answers 405 with Allow",
  ),
  when(
    "is closed to pages of other origins",
    /^OPTIONS /,
    (_asked, pass) => changed(pass(), undefined, { without: "access-control-allow-origin" }),
    "Pages of any origin may call the API, without cookies",
  ),
];

export const CREDENTIALS: readonly Case[] = [
  by(
    "nobody",
    "shows folders to strangers",
    /^GET \/projects/,
    () => own(200, { projects: [] }),
    "Every endpoint answers 401 without a credential",
  ),
  by(
    "nobody",
    "has more than one sentence in an error",
    /^GET \/entitlement/,
    (_asked, pass) => changed(pass(), (json) => ({ ...json, code: 7 })),
    "Every endpoint answers 401 without a credential",
  ),
  by(
    "nobody",
    "reads a stranger's body",
    /^POST \/tasks$/,
    ({ text }) => (text === "{" ? own(400, { error: "Not JSON." }) : null),
    "A stranger gets 401 whatever the body is",
  ),
  when(
    "accepts passwords",
    /^GET \/me/,
    ({ headers }, pass) =>
      headers.get("authorization")?.startsWith("Basic") ? pass({ who: "session" }) : null,
    "A wrong token answers 401",
  ),
  when(
    "takes tokens from the query",
    /^GET \/me/,
    ({ query }, pass) => (query.includes("token") ? pass({ who: "session" }) : null),
    "A token in the query counts for nothing",
  ),
  by(
    "session",
    "does not know its account's plan",
    /^GET \/me/,
    (_asked, pass) => changed(pass(), ({ plan: _plan, ...json }) => json),
    "GET /me describes the session",
  ),
  replying(
    "writes times in its own way",
    /^GET \/entitlement/,
    (json) => (json.pro ? { ...json, expires_at: "2027-01-01" } : json),
    "GET /entitlement says what the account may do, and until when",
  ),
];
