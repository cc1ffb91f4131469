import type { Endpoint } from "../../server/endpoint.ts";
import type { PageContext, SignedInContext } from "./context.ts";
import type { PageReply } from "./reply.tsx";

/** One row of the table of pages. */
export type Page = Endpoint & {
  /** Who may open it: anyone, or only a browser that is signed in. */
  readonly access: "anyone" | "signed in";
  /** What a POST contains: a form, or JSON from our own script. */
  readonly body: "form" | "json";
  readonly handle: (context: PageContext) => Promise<PageReply> | PageReply;
};

/** A page that anyone may open. It still sees who is signed in, if someone is. */
export const openPage = (
  method: "GET" | "POST",
  path: string,
  handle: Page["handle"],
  body: Page["body"] = "form",
): Page => ({ method, path, access: "anyone", body, handle });

/** A page of the account area. Anyone who is not signed in is sent to sign in first, and then back to it. */
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
  // The guard has already checked that someone is signed in.
  handle: handle as Page["handle"],
});
