import type { Running } from "./checks/running.ts";
import type { Plan } from "../domain/people/account.ts";
import type { Store } from "../db/store.ts";
import type { Clock } from "../domain/base/instant.ts";
import type { Allowance, Limits, Quotas } from "../domain/calls/limiter.ts";
import type { Log } from "./log.ts";
import type { Backups } from "./backups.ts";
import type { Imports } from "./imports/imports.ts";
import type { News } from "./news.ts";
import type { BodyMemory } from "./checks/body.ts";

/** What all entry points share. */
export type Service = {
  readonly store: Store;
  readonly clock: Clock;
  readonly limiter: Limiter;
  readonly running: Running;
  readonly bodies: BodyMemory;
  readonly news: News;
  readonly imports: Imports;
  /** Null for a server that makes no copies of its data. */
  readonly backups: Backups | null;
  readonly log: Log;
  readonly settings: Settings;
};

export type Settings = {
  /** The host names that the server answers to, as well as localhost and IP addresses. */
  readonly hosts: ReadonlySet<string>;
  readonly limits: Limits;
  /** The memory for the bodies of all requests in progress, in bytes. */
  readonly bodyMemory: number;
  /** Whether the server itself uses TLS. */
  readonly https: boolean;
  /** The address at which the server is reached from outside, if there is one. */
  readonly publicUrl: URL | null;
  /** Whether an IP address belongs to a trusted proxy, whose `X-Forwarded-*` headers count. */
  readonly isProxy: (address: string) => boolean;
  readonly defaultPlan: Plan;
  /** The redirect addresses that extensions may use. They must match exactly. */
  readonly extensionRedirects: readonly string[];
  readonly openId: OpenIdSettings | null;
};

/** An OpenID provider that people can sign in with. */
export type OpenIdSettings = {
  readonly issuer: URL;
  readonly clientId: string;
  readonly clientSecret: string;
};

export type Limiter = {
  readonly limits: Limits;
  /** Takes one of the key's tokens, if any is left. */
  readonly take: (keyId: string) => Promise<Allowance>;
  /** Returns what the key has left, without taking a token. */
  readonly peek: (keyId: string) => Promise<Quotas>;
  /** Frees the memory of keys that have all their tokens back. */
  readonly sweep: () => void;
};
