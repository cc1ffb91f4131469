import type { Endpoint } from "../server/endpoint.ts";
import type { Reply } from "../server/reply.ts";
import type { Limits } from "../domain/calls/limiter.ts";
import type { MaybePromise } from "../domain/base/maybe-promise.ts";

/** What a page may say about this server. */
export type About = {
  /** The address that the reader used, as browsers write it: no slash at its end. */
  readonly origin: string;
  /** How much a key may ask. */
  readonly limits: Limits;
};

/** One text to read. Anyone may read it, and it is the same for everyone who uses the same address. */
export type StaticPage = Endpoint & { readonly read: (about: About) => MaybePromise<Reply> };

export const staticPage = (path: string, read: StaticPage["read"]): StaticPage => ({
  method: "GET",
  path,
  read,
});
