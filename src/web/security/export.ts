import { findBrowserSession } from "../../db/people/browser-sessions.ts";
import { openPull, type Pull, pullRows } from "../../db/records/pull.ts";
import { formatInstant } from "../../domain/base/instant.ts";
import { TABLES } from "../../domain/base/record.ts";
import { Refusal } from "../../domain/base/refusal.ts";
import type { SignedInContext } from "../shared/page.ts";
import { readCookie } from "../shared/admission.ts";
import { fileReply, type PageReply } from "../shared/reply.tsx";

/** `GET /account/export`: all tasks, folders and buckets, in the form in which devices get them. */
export const getExport = async (context: SignedInContext): Promise<PageReply> => {
  const { store, who, now } = context;
  const pull = await openPull(store, who.account.id, null, null, now);
  return fileReply("docket-export.json", exportText(context, pull));
};

/** An export that breaks off is never valid JSON, so nobody takes it for complete. */
async function* exportText(context: SignedInContext, pull: Pull): AsyncGenerator<string> {
  const { store, who, origin, now } = context;
  const head = {
    account: who.account.email,
    server: origin.href,
    exported_at: formatInstant(now),
  };
  yield `${JSON.stringify(head).slice(0, -1)},"records":{`;
  for (const [index, table] of TABLES.entries()) {
    let separator = `${index === 0 ? "" : ","}"${table}":[`;
    for await (const rows of pullRows(store, who.account.id, table, pull)) {
      await stillSignedIn(context);
      yield separator + rows.join(",");
      separator = ",";
    }
    yield separator === "," ? "]" : `${separator}]`;
  }
  yield "}}";
}

/** It can take minutes, and ends with the browser session. */
const stillSignedIn = async ({
  service,
  store,
  request,
  origin,
}: SignedInContext): Promise<void> => {
  const cookie = readCookie(request, origin, "docket") ?? "";
  if (!(await findBrowserSession(store, cookie, service.clock.wall())))
    throw new Refusal("forbidden", "You have been signed out.");
};
