import type { Store } from "../../db/store.ts";
import type { SignedIn } from "../../db/people/browser-sessions.ts";
import type { Origin } from "../../server/origin.ts";
import type { Instant } from "../../domain/base/instant.ts";
import type { Form } from "./form.ts";
import type { WebService } from "./service.ts";

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
