import type { Endpoint } from "../server/endpoint.ts";
import type { Reply } from "../server/reply.ts";
import type { Limits } from "../domain/calls/limiter.ts";

/** What a page may say of this server. */
export type About = {
  /** By which address the reader reached the server, as browsers write it: no slash at its end. */
  readonly origin: string;
  /** What a key may ask. */
  readonly limits: Limits;
};

/** One thing to read. Anyone may, and it is the same for everyone who comes by the same address. */
export type StaticPage = Endpoint & { readonly read: (about: About) => Reply };

export const staticPage = (path: string, read: StaticPage["read"]): StaticPage => ({
  method: "GET",
  path,
  read,
});
