import type { Plan } from "../domain/people/account.ts";
import type { Store } from "../db/store.ts";
import type { Clock } from "../domain/base/instant.ts";
import type { Limits } from "../domain/calls/limiter.ts";
import type { Log } from "./log.ts";
import type { Limiter } from "./checks/limiter.ts";
import type { Running } from "./checks/running.ts";

/** What every entrance is made of. */
export type Service = {
  readonly store: Store;
  readonly clock: Clock;
  readonly limiter: Limiter;
  readonly running: Running;
  readonly log: Log;
  readonly settings: Settings;
};

export type Settings = {
  /** Names, beside localhost and IP addresses, by which the server may be called. */
  readonly hosts: ReadonlySet<string>;
  readonly limits: Limits;
  /** Whether the server itself speaks https. */
  readonly https: boolean;
  /** The address by which the server is reached from elsewhere. */
  readonly publicUrl: URL | null;
  /** Whether a network address is a proxy's, whose `X-Forwarded-*` fields count. */
  readonly isProxy: (address: string) => boolean;
  readonly defaultPlan: Plan;
  /** Addresses to which extensions may be sent back, letter by letter. */
  readonly extensionRedirects: readonly string[];
  readonly openId: OpenIdSettings | null;
};

/** An OpenID provider that people may sign in with. */
export type OpenIdSettings = {
  readonly issuer: URL;
  readonly clientId: string;
  readonly clientSecret: string;
};
