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
  /** Who is signed in, null for a stranger. */
  readonly who: SignedIn | null;
  readonly request: Request;
  readonly origin: Origin;
  /** The network address of whoever asks. */
  readonly address: string;
  /** What the browser calls itself. */
  readonly client: string | null;
  /** The id in the path, decoded once. */
  readonly pathId: string | null;
  readonly query: URLSearchParams;
  /** What a form sent; empty for GET. */
  readonly form: Form;
  /** What our own script sent as JSON; null for all else. */
  readonly json: unknown;
  /** Cookies that the answer sets, whatever else it says. */
  readonly cookies: string[];
  readonly now: Instant;
};

export type SignedInContext = PageContext & { readonly who: SignedIn };
