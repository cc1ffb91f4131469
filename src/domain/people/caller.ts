import type { Account } from "./account.ts";
import type { Instant } from "../base/instant.ts";
import type { Restriction } from "./restriction.ts";

/** What a credential lets one do. There is no delete scope (specification, section 5). */
export type Scope = "read" | "write";

/** Whoever stands behind a credential that was accepted: a person's device, or one of their keys. */
export type Caller = {
  readonly kind: "api_key" | "session";
  /** The id of the key or session. */
  readonly id: string;
  readonly name: string;
  readonly account: Account;
  readonly scopes: readonly Scope[];
  /** What a key is kept to, null for the whole account. */
  readonly restriction: Restriction | null;
  readonly expiresAt: Instant | null;
  /** When the device synced last; keys never do. */
  readonly lastSyncAt?: Instant | null;
};

/** A key, a device, or a person on the server's own pages or command line. */
export type ActorKind = "api_key" | "person" | "session";

/** Whoever changes something. */
export type Actor = {
  readonly kind: ActorKind;
  /** The id of the key or session; null for a person on the server's own pages. */
  readonly id: string | null;
  /** The name of the key or session. */
  readonly name: string;
};

/** Whoever changes something over REST or MCP, and what they are kept to. */
export type Editor = Actor & { readonly restriction: Restriction | null };

/** A person on the server's own pages or command line. */
export const SOMEONE: Actor = { kind: "person", id: null, name: "" };

/** Who made a task, tab or note. Always taken from the credential, never from a body. */
export type Author = {
  readonly created_by: "agent" | "person";
  /** The key's name, if a key made it. */
  readonly created_by_key: string | null;
};

export const PERSON: Author = { created_by: "person", created_by_key: null };

export const authorOf = (actor: Actor): Author =>
  actor.kind === "api_key" ? { created_by: "agent", created_by_key: actor.name } : PERSON;
