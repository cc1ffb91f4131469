import { findBrowserSession } from "../../db/people/browser-sessions.ts";
import { exportJson, exportTasks } from "../../db/records/export.ts";
import { findFolder } from "../../db/records/folders.ts";
import { readTaskView } from "../../db/records/lookup.ts";
import { formatInstant } from "../../domain/base/instant.ts";
import { invalid, Refusal } from "../../domain/base/refusal.ts";
import { EXPORT_FORMATS, writeSafeCsv } from "../../export/formats.ts";
import { readCookie, type SignedInContext } from "../shared/page.ts";
import { fileReply, type PageReply } from "../shared/reply.tsx";

/**
 * `GET /account/export?format=&folder=&task=&history=`: what the account holds, or a folder's tasks, or one task, as a file.
 * The format `spreadsheet` is a table without formulas. Without a format, everything as Docket's own JSON, which can be
 * imported again.
 */
export const getExport = async (context: SignedInContext): Promise<PageReply> => {
  const { query } = context;
  const format = query.get("format") ?? "json";
  if (format === "json")
    return fileReply(
      "docket-export.json",
      "application/json",
      whileSignedIn(context, json(context)),
    );
  const isSafe = format === "spreadsheet";
  const name = isSafe ? "csv" : format;
  const known = Object.hasOwn(EXPORT_FORMATS, name) ? EXPORT_FORMATS[name] : undefined;
  if (!known)
    throw invalid(
      `The format must be json, ${Object.keys(EXPORT_FORMATS).join(", ")} or spreadsheet.`,
    );
  const tasks = exportTasks(context.store, context.who.account.id, await partOf(context));
  const text = (isSafe ? writeSafeCsv : known.write)(tasks);
  return fileReply(`docket-export.${known.ending}`, known.type, whileSignedIn(context, text));
};

const json = ({ store, who, origin, now, query }: SignedInContext): AsyncGenerator<string> => {
  if (query.has("folder") || query.has("task"))
    throw invalid("A folder or a task alone needs another format than json.");
  const head = {
    account: who.account.email,
    server: origin.href,
    exported_at: formatInstant(now),
  };
  const withHistory = query.get("history") === "yes";
  return exportJson(store, who.account.id, head, { withDeleted: withHistory, withHistory });
};

const partOf = async ({ store, who, query }: SignedInContext) => {
  const folder = query.get("folder") || null;
  const taskId = query.get("task") || null;
  const { id } = who.account;
  if (taskId !== null) await readTaskView(store, id, null, taskId);
  const folderId = folder === null ? null : await findFolder(store, id, null, folder, "folder");
  return { folderId, taskId };
};

/** It can take minutes, and ends with the browser session. */
async function* whileSignedIn(
  { service, store, request, origin }: SignedInContext,
  pieces: AsyncGenerator<string>,
): AsyncGenerator<string> {
  const cookie = readCookie(request, origin, "docket") ?? "";
  let ready = "";
  for await (const text of pieces) {
    ready += text;
    if (ready.length < PIECE) continue;
    if (!(await findBrowserSession(store, cookie, service.clock.wall())))
      throw new Refusal("forbidden", "You have been signed out.");
    yield ready;
    ready = "";
  }
  yield ready;
}

/** Characters that are sent at once, at least. */
const PIECE = 32 * 1024;
