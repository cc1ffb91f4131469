import type { Plan } from "../account.ts";
import type { Store } from "../db/open.ts";
import type { Instant } from "../instant.ts";
import type { Limits } from "../limiter.ts";
import type { Log } from "../log.ts";
import type { Limiter } from "./limits.ts";

/** Time as the server is given it. Only `wall` can be set back. */
export type Clock = {
  readonly wall: () => Instant;
  /** ms that never go back, from any start. */
  readonly steady: () => number;
};

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
  readonly defaultPlan: Plan;
};
