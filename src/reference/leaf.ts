import type { Place } from "../door/place.ts";
import type { Reply } from "../door/reply.ts";
import type { Limits } from "../limiter.ts";

/** What a leaf may say of this server. */
export type About = {
  /** By which address the reader reached the server, as browsers write it: no slash at its end. */
  readonly origin: string;
  /** What a key may ask. */
  readonly limits: Limits;
};

/** One thing to read. Anyone may, and it is the same for everyone who comes by the same address. */
export type Leaf = Place & { readonly read: (about: About) => Reply };

export const leaf = (path: string, read: Leaf["read"]): Leaf => ({ method: "GET", path, read });
