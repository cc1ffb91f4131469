import { NotPossible, StorageFull } from "../../client/state.ts";
import { isFull } from "../../client/store/database.ts";
import type { WindowRequest } from "../backup/backup.ts";
import { browser } from "../browser/api.ts";
import type { ReopenReport, ReopenRequest } from "../reopen/job.ts";
import type { SaveReport, SaveRequest } from "../save/request.ts";

// What the extension's pages ask of the worker. A popup ends as soon as it loses the focus, in the middle of whatever
// it does, so all that opens or closes tabs is done there.

type Messages = {
  /** The window is given by its number. */
  readonly "free-window": { readonly request: number; readonly report: null };
  /** Opens a window again, as a copy has it. */
  readonly "kept-window": { readonly request: WindowRequest; readonly report: ReopenReport };
  /** Opens what other devices sent here. */
  readonly "open-arrived": { readonly request: null; readonly report: ReopenReport };
  /** Puts the tabs back that were taken out of their task when they were opened. */
  readonly "put-back": { readonly request: null; readonly report: null };
  readonly reopen: { readonly request: ReopenRequest; readonly report: ReopenReport };
  readonly save: { readonly request: SaveRequest; readonly report: SaveReport };
  /** The windows of tasks may be out of step: a task was changed on a page. */
  readonly step: { readonly request: null; readonly report: null };
  readonly sync: { readonly request: null; readonly report: null };
  readonly undo: { readonly request: null; readonly report: null };
  /** The task is given by its id. */
  readonly window: { readonly request: string; readonly report: null };
};

export type Message = {
  readonly [Kind in keyof Messages]: {
    readonly kind: Kind;
    readonly request: Messages[Kind]["request"];
    /** The same when the same thing is asked again because no answer came. Then it must not be done twice. */
    readonly key: string;
  };
}[keyof Messages];

export type Reply<T> =
  | { readonly kind: "done"; readonly report: T }
  /** `problem` is a sentence for people. */
  | { readonly kind: "failed"; readonly problem: string };

/** How often something is asked before the worker counts as broken. */
const TRIES = 3;

/**
 * Asks the worker to do something. Never rejects. If the browser stops the worker before it answers, asks again: it
 * goes on where it was.
 */
export const askWorker = async <Kind extends keyof Messages>(
  kind: Kind,
  request: Messages[Kind]["request"],
): Promise<Reply<Messages[Kind]["report"]>> => {
  const message = { kind, request, key: crypto.randomUUID() };
  for (let tries = 0; tries < TRIES; tries += 1) {
    // Chrome rejects, Firefox answers nothing.
    const reply = await browser.runtime.sendMessage(message).catch(() => undefined);
    if (reply) return reply as Reply<Messages[Kind]["report"]>;
  }
  return { kind: "failed", problem: sentenceOf(null) };
};

/** Returns a sentence for people about a failure. */
export const sentenceOf = (error: unknown): string => {
  if (error instanceof NotPossible) return error.message;
  return error instanceof StorageFull || isFull(error)
    ? "Your browser has no room left, so this was not saved. Free some space and try again."
    : `This was not done. Try again. If that fails too, restart the browser. ${said(error)}`;
};

const said = (error: unknown): string =>
  error instanceof Error
    ? `The browser says: ${error.message}`
    : "The extension’s background page does not answer.";
