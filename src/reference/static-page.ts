import type { Endpoint, Reply } from "../server/call.ts";
import type { Limits } from "../domain/calls/limiter.ts";

/** What a page may say about this server. */
export type About = {
  /** The origin that the reader used, as browsers write it, without a slash at the end. */
  readonly origin: string;
  /** How many calls an API key may make. */
  readonly limits: Limits;
};

/** A page that anyone may read, and that is the same for everyone who uses the same address. */
export type StaticPage = Endpoint & { readonly read: (about: About) => Promise<Reply> | Reply };

export const staticPage = (path: string, read: StaticPage["read"]): StaticPage => ({
  method: "GET",
  path,
  read,
});
