import type { Endpoint } from "../../server/call.ts";
import type { PageReply } from "./reply.tsx";
import { readAccount } from "../../db/people/accounts.ts";
import type { Store } from "../../db/store.ts";
import type { SignedIn } from "../../db/people/browser-sessions.ts";
import type { Origin } from "../../server/origin.ts";
import type { Instant } from "../../domain/base/instant.ts";
import type { Form } from "./form.ts";
import type { WebService } from "./service.ts";

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

/** Sections of the account area with forms of their own. All other forms belong to the Security page. */
const SECTIONS: readonly string[] = ["/account/deleted", "/account/devices", "/account/keys"];

/** The section that a form's address belongs to, where the person can start again. */
export const sectionOf = (path: string): string =>
  SECTIONS.find((section) => path === section || path.startsWith(`${section}/`)) ??
  "/account/security";

/** Notes in the log what someone did to their account, and from where. */
export const noteChange = ({ service, who, address }: SignedInContext, what: string): void =>
  service.log.info(what, { address, account: who.account.email });

/** Notes in the log who proved who they are, and from where: by signing in, or again while signed in. */
export const noteProof = (
  { service, store, address }: PageContext,
  accountId: number,
  what: "confirmed" | "signed in",
  by: Readonly<Record<string, string>>,
): void =>
  service.log.info(what, { address, ...by, account: readAccount(store, accountId)?.email ?? null });

/** A request as a page sees it. */
export type PageContext = {
  readonly service: WebService;
  readonly store: Store;
  /** Who is signed in; null if nobody is. */
  readonly who: SignedIn | null;
  readonly request: Request;
  readonly origin: Origin;
  /** The network address the request came from. */
  readonly address: string;
  /** The browser, from its `User-Agent`. */
  readonly client: string | null;
  /** The id in the path, decoded exactly once. */
  readonly pathId: string | null;
  readonly query: URLSearchParams;
  /** The submitted form; empty for GET. */
  readonly form: Form;
  /** The JSON that our own script sent; null otherwise. */
  readonly json: unknown;
  /** Cookies to set on the reply, whatever page it turns out to be. */
  readonly cookies: string[];
  readonly now: Instant;
};

export type SignedInContext = PageContext & { readonly who: SignedIn };
