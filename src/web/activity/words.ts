import { isRefusedDelete, type Outcome, type Way, wayOf } from "../../domain/calls/activity.ts";
import type { CallRow } from "../../db/calls/activity-pages.ts";

/** Outcomes, as the filter names them. */
export const OUTCOME_NAMES: Readonly<Record<Outcome, string>> = {
  done: "Done",
  refused: "Refused",
  deletes: "Only refused deletions",
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

/** What a call does: in the past, after "tried to", and to what if the list names no record. */
type Deed = readonly [past: string, plain: string, noun: string];

const LIST: Deed = ["listed", "list", "tasks"];
const READ: Deed = ["read", "read", "a task"];
const ADD: Deed = ["added", "add", "a task"];
const CHANGE: Deed = ["changed", "change", "a task"];
const CHANGE_MANY: Deed = ["changed", "change", "several tasks"];
const FINISH: Deed = ["finished", "finish", "a task"];
const FILE: Deed = ["saved tabs in", "save tabs in", "a task"];
const INBOX: Deed = ["saved tabs in", "save tabs in", "the inbox"];
const READ_INBOX: Deed = ["read", "read", "the inbox"];
const MOVE: Deed = ["moved tabs to", "move tabs to", "a task"];
const NOTE: Deed = ["added a note to", "add a note to", "a task"];
const EDIT_NOTE: Deed = ["corrected a note of", "correct a note of", "a task"];
const CHANGES: Deed = ["looked for", "look for", "changes"];
const CLAIMS: Deed = ["listed", "list", "claims"];
const CLAIM: Deed = ["began to work on", "begin to work on", "a task"];
const RENEW: Deed = ["went on with", "go on with", "a task"];
const RELEASE: Deed = ["released", "release", "a task"];
const FOLDERS: Deed = ["listed", "list", "folders"];
const FOLDER: Deed = ["added", "add", "a folder"];
const ACCESS: Deed = ["checked", "check", "its own access"];
const CONNECT: Deed = ["connected", "connect", "over MCP"];
const DELETE: Deed = ["tried to delete", "delete", "something"];
const OVERWRITE: Deed = ["tried to overwrite", "overwrite", "something"];
const OTHER: Deed = ["made a call about", "make a call about", "something else"];

const V1 = "/api/public/v1";

const OVER_REST: Readonly<Record<string, Deed>> = {
  [`GET ${V1}/tasks`]: LIST,
  [`POST ${V1}/tasks`]: ADD,
  [`GET ${V1}/tasks/{id}`]: READ,
  [`PATCH ${V1}/tasks/{id}`]: CHANGE,
  [`PATCH ${V1}/tasks`]: CHANGE_MANY,
  [`POST ${V1}/tasks/{id}/tabs`]: FILE,
  [`POST ${V1}/tasks/{id}/tabs/move`]: MOVE,
  [`POST ${V1}/tasks/{id}/notes`]: NOTE,
  [`PATCH ${V1}/tasks/{id}/notes/{note}`]: EDIT_NOTE,
  [`GET ${V1}/inbox`]: READ_INBOX,
  [`POST ${V1}/inbox/tabs`]: INBOX,
  [`GET ${V1}/changes`]: CHANGES,
  [`GET ${V1}/claims`]: CLAIMS,
  [`POST ${V1}/claims`]: CLAIM,
  [`POST ${V1}/claims/{id}/renew`]: RENEW,
  [`POST ${V1}/claims/{id}/release`]: RELEASE,
  [`GET ${V1}/projects`]: FOLDERS,
  [`POST ${V1}/projects`]: FOLDER,
  [`GET ${V1}/me`]: ACCESS,
  [`GET ${V1}/entitlement`]: ACCESS,
};

const OVER_MCP: Readonly<Record<string, Deed>> = {
  add_task: ADD,
  file_tabs: FILE,
  move_tabs: MOVE,
  write_note: NOTE,
  change_tasks: CHANGE,
  find_changes: CHANGES,
  claim_task: CLAIM,
  release_task: RELEASE,
  add_folder: FOLDER,
  find_tasks: LIST,
  read_task: READ,
  list_folders: FOLDERS,
};

/** A method of the protocol, by which a client finds out what there is. */
const HANDSHAKE = /^(?:initialize|ping|[a-z]+\/[a-z/_]+)$/i;

const READS: readonly Deed[] = [LIST, READ, READ_INBOX, CHANGES, CLAIMS, FOLDERS, ACCESS, CONNECT];

/** Whether a call only read, or only connected, and nothing about it was refused. */
const isQuiet = (call: CallRow): boolean => call.status < 400 && READS.includes(deedOf(call));

/** The words of a call's sentence, before and after the record that it names. */
export const wordsOf = (
  call: CallRow,
  finished: boolean,
): { readonly verb: string; readonly noun: string } => {
  const deed = deedOf(call);
  const [past, plain, noun] = deed === CHANGE && finished ? FINISH : deed;
  const tried = call.status >= 400 || call.dryRun === 1;
  return { verb: tried ? `tried to ${plain}` : past, noun };
};

const deedOf = ({ method, route, tool }: CallRow): Deed => {
  if (method === "DELETE") return DELETE;
  if (method === "PUT") return OVERWRITE;
  if (wayOf({ route }) === "rest")
    return OVER_REST[`${method === "HEAD" ? "GET" : method} ${route}`] ?? OTHER;
  if (tool === null) return OTHER;
  if (Object.hasOwn(OVER_MCP, tool)) return OVER_MCP[tool] ?? OTHER;
  return HANDSHAKE.test(tool) ? CONNECT : OTHER;
};

/** The fewest calls that share a row. */
const LEAST = 3;

/** Puts calls of one key that follow each other and only read or connected into one list each. Others stay alone. */
export const runsOf = (calls: readonly CallRow[]): readonly (readonly CallRow[])[] => {
  const runs: CallRow[][] = [];
  for (const call of calls) {
    const last = runs.at(-1);
    const before = last?.at(-1);
    if (last && before && before.keyId === call.keyId && isQuiet(before) && isQuiet(call))
      last.push(call);
    else runs.push([call]);
  }
  return runs.flatMap((run) => (run.length < LEAST ? run.map((call) => [call]) : [run]));
};
