import type { Instant } from "../../../src/domain/base/instant.ts";
import type { Row } from "./content.ts";

/** Where a token stands: in a field of a task, or as one of its tabs or notes. */
export type Place = "note" | "colour" | "tab" | "title";

/** A unique word that somebody put somewhere. */
export type Token = {
  readonly token: string;
  readonly place: Place;
  readonly task: string;
  readonly by: string;
  /** Whether a device made it, or a program or person over REST. */
  readonly over: "REST" | "sync";
  readonly order: number;
};

/** A task as one device had it after one of its edits. */
export type Edit = {
  readonly order: number;
  readonly by: string;
  readonly task: string;
  readonly holds: ReadonlySet<string>;
  readonly isDeleted: boolean;
  /** Whether it is no edit, but a row that is sent again after a restore: its stamp may be a server's. */
  readonly isResent: boolean;
  /** What the device says is the time of the edit. */
  readonly stamp: Instant;
  /** When it first reached the server. */
  reached: Reached | null;
};

type Reached = {
  /** How many things had happened. */
  readonly order: number;
  /** The time that counts. */
  readonly stamp: Instant;
  /** The time that counts at least, where one cannot tell from outside what the server made of it. */
  readonly least: Instant;
  /** Whether what the device says was ahead of the server's clock. */
  readonly isAhead: boolean;
};

/** Someone who had seen a token took it away, from this task. */
type Removal = {
  readonly token: string;
  readonly task: string;
  readonly by: string;
  readonly order: number;
  /** The device's edit that did; null for an undo. */
  readonly edit: Edit | null;
};

type SetBack = {
  readonly task: string;
  readonly place: "colour" | "title";
  /** The value that went. */
  readonly token: string;
  readonly edit: Edit;
};

type Kept = {
  readonly by: string;
  readonly task: string;
  readonly tokens: ReadonlySet<string>;
  readonly order: number;
};

/** All that happened in a history, in the order in which it did. It knows what people did, not what a server makes of it. */
export type Ledger = {
  order: number;
  readonly tokens: Map<string, Token>;
  /** Who saw which token first when. */
  readonly sights: Map<string, Map<string, number>>;
  readonly edits: Edit[];
  readonly removals: Removal[];
  /** Tokens that a device moved to another task. */
  readonly moves: { readonly token: string; readonly order: number }[];
  /** Tasks that a person un-deleted on a device. */
  readonly revivals: { readonly task: string; readonly by: string; readonly order: number }[];
  /** Those that a restore took away, when nobody had them any more. */
  readonly restoredAway: Set<string>;
  /** Those from REST that a restore left to devices alone, and that nobody can tell from a device's own any more. */
  readonly leftToDevices: Set<string>;
  /** Those that a restore took from the server, and that devices have sent or will send again. */
  readonly resent: Set<string>;
  /** What a restore took from the server, and only devices hold that cannot notice a restore. They may send it with a later edit. */
  readonly unsent: Set<string>;
  /** The rows that such devices held at a restore and the server did not. */
  readonly stranded: Set<Row>;
  /** Tabs and notes that a restore took from the server, and that a device still holds to which the server had confirmed them. */
  readonly confirmed: Set<string>;
  /** Who was told that a token is on the server: by the answer to its push, or because it was given it. */
  readonly assured: Map<string, Set<string>>;
  /** Fields that a person set back by hand to a value that they had seen there before. */
  readonly setBacks: SetBack[];
  /** Rows that a device of the specification alone was given, and kept an edit of its own instead. */
  readonly kept: Kept[];
  /** When each device last pulled from nothing: what it had seen before, a restore may have undone. */
  readonly heard: Map<string, number>;
  /** Tasks with a field that only the extension knows. */
  readonly marked: Set<string>;
  /** The newest `server_time` that anyone was given. */
  newestTime: string;
  /** When the last restore was; 0 if there was none. */
  restored: number;
  /** The stamp of each task's row, as far as one can tell from outside: what it is at most, and at least. */
  readonly newest: Map<string, Instant>;
  readonly oldest: Map<string, Instant>;
};

export const newLedger = (): Ledger => ({
  order: 1,
  tokens: new Map(),
  sights: new Map(),
  edits: [],
  removals: [],
  moves: [],
  revivals: [],
  restoredAway: new Set(),
  leftToDevices: new Set(),
  resent: new Set(),
  unsent: new Set(),
  stranded: new Set(),
  confirmed: new Set(),
  assured: new Map(),
  setBacks: [],
  kept: [],
  heard: new Map(),
  marked: new Set(),
  newestTime: "",
  restored: 0,
  newest: new Map(),
  oldest: new Map(),
});

/** Someone puts a new token somewhere, and so has seen it. */
export const make = (ledger: Ledger, token: Omit<Token, "order">): void => {
  const order = ledger.order++;
  ledger.tokens.set(token.token, { ...token, order });
  see(ledger, token.by, [token.token], order);
};

export const see = (
  ledger: Ledger,
  who: string,
  tokens: Iterable<string>,
  order = ledger.order++,
): void => {
  const seen = ledger.sights.get(who) ?? new Map<string, number>();
  ledger.sights.set(who, seen);
  for (const token of tokens) if (!seen.has(token)) seen.set(token, order);
};

/** The server confirms to `who` that it has these tokens. */
export const assure = ({ assured }: Ledger, who: string, tokens: Iterable<string>): void => {
  const known = assured.get(who) ?? new Set<string>();
  assured.set(who, known);
  for (const token of tokens) known.add(token);
};

/** When `who` saw the token first; Infinity if never. */
export const sightOf = (ledger: Ledger, who: string, token: string): number =>
  ledger.sights.get(who)?.get(token) ?? Number.POSITIVE_INFINITY;

/** A newer change more than this ahead of the server's clock counts as made when it arrived. */
const AHEAD = 5 * 60_000;

/**
 * A pushed edit reaches the server. Only the first time counts, but that an edit which was ahead of a slow server then, and is
 * sent again when it no longer is, wins by its own stamp.
 */
export const reach = (ledger: Ledger, edit: Edit, now: Instant): void => {
  for (const token of edit.holds) ledger.unsent.delete(token);
  if (edit.reached !== null) {
    if (edit.reached.isAhead && edit.stamp <= now + AHEAD)
      edit.reached = { ...edit.reached, stamp: Math.max(edit.reached.stamp, edit.stamp) };
    return;
  }
  const { newest, oldest } = boundsOf(ledger, edit.task);
  const isFast = edit.stamp > now + AHEAD;
  // Of two with one stamp, either may win.
  const isAhead = isFast && edit.stamp >= newest;
  const stamp = isAhead ? Math.max(now, newest + 1) : edit.stamp;
  // It may not have won over the row, or not over another one that was further ahead.
  const least = isFast ? Math.min(edit.stamp, Math.max(now, oldest + 1)) : edit.stamp;
  edit.reached = { order: ledger.order++, stamp, least, isAhead };
  ledger.newest.set(edit.task, Math.max(newest, stamp));
  if (!isFast) ledger.oldest.set(edit.task, Math.max(oldest, edit.stamp));
};

/** Something was written over REST: its stamp is the server's. */
export const touch = (ledger: Ledger, task: string, now: Instant): void => {
  const { newest, oldest } = boundsOf(ledger, task);
  ledger.newest.set(task, Math.max(now, newest + 1));
  ledger.oldest.set(task, Math.max(now, oldest + 1));
};

/** The server says what the stamp is. */
export const learn = (ledger: Ledger, task: string, stamp: Instant): void => {
  const { newest, oldest } = boundsOf(ledger, task);
  ledger.newest.set(task, Math.max(stamp, newest));
  ledger.oldest.set(task, Math.max(stamp, oldest));
};

const boundsOf = ({ newest, oldest }: Ledger, task: string) => ({
  newest: newest.get(task) ?? 0,
  oldest: oldest.get(task) ?? 0,
});
