import type { Store } from "../db/open.ts";
import type { Clock } from "../instant.ts";
import type { Limits } from "../limiter.ts";
import type { Log } from "../log.ts";
import type { Limiter } from "./limits.ts";

/** What the HTTP side is made of. */
export type Service = {
  readonly store: Store;
  readonly clock: Clock;
  readonly limiter: Limiter;
  readonly log: Log;
  readonly settings: HttpSettings;
};

export type HttpSettings = {
  /** Names, beside localhost and IP addresses, by which the server may be called. */
  readonly hosts: ReadonlySet<string>;
  readonly limits: Limits;
};
