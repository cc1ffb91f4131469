import type { Restriction, Scope } from "./api-key.ts";
import type { Account } from "./account.ts";
import type { Instant } from "../base/instant.ts";

/** The holder of an accepted credential: a person's device, or one of their API keys. */
export type Caller = {
  readonly kind: "api_key" | "session";
  /** The id of the key or session. */
  readonly id: string;
  readonly name: string;
  readonly account: Account;
  readonly scopes: readonly Scope[];
  /** Null for the whole account, and for every session. */
  readonly restriction: Restriction | null;
  readonly expiresAt: Instant | null;
  /** When the device last synced. Keys never sync. */
  readonly lastSyncAt?: Instant | null;
};

/**
 * Whether the caller may see what is stored. To one who may not, a write replies with ids and what was sent, nothing
 * else.
 */
export const mayRead = ({ scopes }: Pick<Editor, "scopes">): boolean =>
  scopes?.includes("read") ?? true;

/** A key, a device, or a person on Docket's own pages or command line. */
export type ActorKind = "api_key" | "person" | "session";

/** Who makes a change. */
export type Actor = {
  readonly kind: ActorKind;
  /** The id of the key or session; null for a person on Docket's own pages. */
  readonly id: string | null;
  /** The name of the key or session. */
  readonly name: string;
};

/** Who makes a change over REST or MCP, and their restriction. */
export type Editor = Actor & {
  readonly restriction: Restriction | null;
  /** Absent for a person. */
  readonly scopes?: readonly Scope[];
};

/** A person on Docket's own pages or command line. */
export const SOMEONE: Actor = { kind: "person", id: null, name: "" };

/** Whether tasks in the trash exist for this actor. They do not for keys. */
export const seesTrash = ({ kind }: Pick<Actor, "kind">): boolean => kind !== "api_key";

/** Who created a task, tab or note. Always taken from the credential, never from a body. */
export type Author = {
  readonly created_by: "agent" | "person";
  /** The key's name, if a key created it. */
  readonly created_by_key: string | null;
};

export const PERSON: Author = { created_by: "person", created_by_key: null };

export const authorOf = (actor: Actor): Author =>
  actor.kind === "api_key" ? { created_by: "agent", created_by_key: actor.name } : PERSON;
