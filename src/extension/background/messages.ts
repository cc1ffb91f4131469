import { NotPossible, StorageFull } from "../../client/state.ts";
import { browser } from "../browser/api.ts";
import type { ReopenReport, ReopenRequest } from "../reopen/request.ts";
import type { SaveReport, SaveRequest } from "../save/request.ts";

// What the extension's pages ask of the worker. A popup ends as soon as it loses the focus, in the middle of whatever
// it does, so all that opens or closes tabs is done there.

type Asked = {
  readonly reopen: { readonly request: ReopenRequest; readonly report: ReopenReport };
  readonly save: { readonly request: SaveRequest; readonly report: SaveReport };
  readonly sync: { readonly request: null; readonly report: null };
  readonly undo: { readonly request: null; readonly report: null };
};

export type Message = {
  readonly [Kind in keyof Asked]: {
    readonly kind: Kind;
    readonly request: Asked[Kind]["request"];
  };
}[keyof Asked];

export type Reply<T> =
  | { readonly kind: "done"; readonly report: T }
  /** `problem` is a sentence for people. */
  | { readonly kind: "failed"; readonly problem: string };

/** Asks the worker to do something. Never rejects. */
export const askWorker = async <Kind extends keyof Asked>(
  kind: Kind,
  request: Asked[Kind]["request"],
): Promise<Reply<Asked[Kind]["report"]>> => {
  try {
    return (await browser.runtime.sendMessage({ kind, request })) as Reply<Asked[Kind]["report"]>;
  } catch (error) {
    return { kind: "failed", problem: sentenceOf(error) };
  }
};

/** Returns a sentence for people about a failure. */
export const sentenceOf = (error: unknown): string => {
  if (error instanceof NotPossible) return error.message;
  return error instanceof StorageFull
    ? "Your browser has no room left, so this was not saved. Free some space and try again."
    : "That did not work. Try again.";
};
