import type { CallRow } from "../../db/calls/activity-pages.ts";
import { wayOf } from "../../domain/calls/activity.ts";

/** What a call does: in the past, after "tried to", and to what if the list names no record. */
type Deed = readonly [past: string, plain: string, noun: string];

const LIST: Deed = ["listed", "list", "tasks"];
const READ: Deed = ["read", "read", "a task"];
const ADD: Deed = ["added", "add", "a task"];
const CHANGE: Deed = ["changed", "change", "a task"];
const FINISH: Deed = ["finished", "finish", "a task"];
const FILE: Deed = ["saved tabs in", "save tabs in", "a task"];
const INBOX: Deed = ["saved tabs in", "save tabs in", "the inbox"];
const NOTE: Deed = ["added a note to", "add a note to", "a task"];
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
  [`POST ${V1}/tasks/{id}/tabs`]: FILE,
  [`POST ${V1}/tasks/{id}/notes`]: NOTE,
  [`POST ${V1}/inbox/tabs`]: INBOX,
  [`GET ${V1}/projects`]: FOLDERS,
  [`POST ${V1}/projects`]: FOLDER,
  [`GET ${V1}/me`]: ACCESS,
  [`GET ${V1}/entitlement`]: ACCESS,
};

const OVER_MCP: Readonly<Record<string, Deed>> = {
  add_task: ADD,
  file_tabs: FILE,
  add_note: NOTE,
  change_task: CHANGE,
  add_folder: FOLDER,
  find_tasks: LIST,
  read_task: READ,
  list_folders: FOLDERS,
  who_am_i: ACCESS,
};

/** A method of the protocol, by which a client finds out what there is. */
const HANDSHAKE = /^(?:initialize|ping|[a-z]+\/[a-z/_]+)$/i;

const READS: readonly Deed[] = [LIST, READ, FOLDERS, ACCESS, CONNECT];

/** Whether a call only read, or only connected, and nothing about it was refused. */
export const isQuiet = (call: CallRow): boolean =>
  call.status < 400 && READS.includes(deedOf(call));

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
