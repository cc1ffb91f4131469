import type { Place } from "../door/place.ts";
import type { Reply } from "../door/reply.ts";
import type { Limits } from "../limiter.ts";
import type { Soon } from "../soon.ts";

/** What a leaf may say about this server. */
export type About = {
  /** The address that the reader used, as browsers write it: no slash at its end. */
  readonly origin: string;
  /** How much a key may ask. */
  readonly limits: Limits;
};

/** One text to read. Anyone may read it, and it is the same for everyone who uses the same address. */
export type Leaf = Place & { readonly read: (about: About) => Soon<Reply> };

export const leaf = (path: string, read: Leaf["read"]): Leaf => ({ method: "GET", path, read });
