import { isRefusedDelete, type Outcome, type Way } from "../../domain/calls/activity.ts";

/** Outcomes, as the filter names them. */
export const OUTCOME_NAMES: Readonly<Record<Outcome, string>> = {
  done: "Done",
  refused: "Refused",
  deletes: "Refused deletes only",
  failed: "Failed",
};

/** Protocols, as the filter names them. */
export const WAY_NAMES: Readonly<Record<Way, string>> = { rest: "REST", mcp: "MCP" };

const REASONS: Readonly<Record<number, string>> = {
  400: "Refused: malformed request",
  401: "Refused: no valid key",
  403: "Refused: not allowed",
  404: "Refused: not found",
  405: "Refused: method not allowed",
  412: "Refused: changed in the meantime",
  413: "Refused: too large",
  415: "Refused: wrong content type",
  421: "Refused: wrong host name",
  422: "Refused: invalid",
  429: "Refused: too many calls",
  503: "Failed: unavailable",
  507: "Failed: disk full",
};

/** How a call ended, in words, and how the words look. */
export const wordsFor = (call: {
  readonly method: string;
  readonly status: number;
  readonly dryRun: number;
}): { readonly words: string; readonly look: "bad" | "good" | "plain" } => {
  if (isRefusedDelete(call))
    return { words: call.method === "PUT" ? "Overwrite refused" : "Delete refused", look: "bad" };
  const { status } = call;
  if (status >= 500) return { words: REASONS[status] ?? "Failed", look: "bad" };
  if (status >= 400) return { words: REASONS[status] ?? "Refused", look: "plain" };
  if (call.dryRun === 1) return { words: "Would succeed", look: "plain" };
  return { words: "Done", look: "good" };
};
