import type { Endpoint } from "../../server/endpoint.ts";
import type { PageContext, SignedInContext } from "./context.ts";
import type { PageReply } from "./reply.tsx";

/** One line of the table of pages. */
export type Page = Endpoint & {
  /** Whether anyone may ask for it, or only a browser that is signed in. */
  readonly access: "anyone" | "signed in";
  /** What a POST holds: a form, or JSON from our own script. */
  readonly body: "form" | "json";
  readonly handle: (context: PageContext) => Promise<PageReply> | PageReply;
};

/** A page that anyone may ask for; a browser that is signed in is known all the same. */
export const openPage = (
  method: "GET" | "POST",
  path: string,
  handle: Page["handle"],
  body: Page["body"] = "form",
): Page => ({ method, path, access: "anyone", body, handle });

/** A page of the account area: others are sent to sign in, and come back to it then. */
export const ownPage = (
  method: "GET" | "POST",
  path: string,
  handle: (context: SignedInContext) => Promise<PageReply> | PageReply,
  body: Page["body"] = "form",
): Page => ({
  method,
  path,
  access: "signed in",
  body,
  // The guard has seen to it that someone is signed in.
  handle: handle as Page["handle"],
});
