import type { ApiKey } from "../../domain/people/api-key.ts";
import { readKey } from "../../db/people/api-keys.ts";
import { newestVersion, previewUndo, undoKey } from "../../db/history/undo.ts";
import { countUndone } from "../../db/history/undo-count.ts";
import { formatInstant, type Instant, parseInstant } from "../../domain/base/instant.ts";
import { invalid } from "../../domain/base/refusal.ts";
import type { SignedInContext } from "../shared/context.ts";
import { proveAgain } from "../entry/proof.ts";
import { field, isEmpty, NO_PROBLEMS, type Problems } from "../shared/form.ts";
import { readVersion } from "../history/history.tsx";
import { keyPath } from "../keys/table.tsx";
import { html, type PageReply, seeOther } from "../shared/reply.tsx";
import { UndoPage } from "./page.tsx";
import { nameRecords } from "./records.ts";
import { readSince, type Typed, typedSince } from "./since.ts";

/**
 * `GET /account/keys/:id/undo?since=&at=&zone=`: what undoing the key's changes since then would do. After an
 * undo, `undone` is when it happened, and the list shows what is left.
 */
export const getUndo = async (context: SignedInContext): Promise<PageReply> => {
  const key = await readKey(context.store, context.who.account.id, context.pathId ?? "");
  const typed = typedSince(context.query);
  if (typed.choice === "" && typed.at === "") return show(context, key, typed, null, NO_PROBLEMS);
  const since = readSince(typed, context.now);
  const problems = since === null ? { at: "Enter a date and time, such as 2026-01-31T09:30." } : {};
  return show(context, key, typed, since, problems);
};

/** `POST /account/keys/:id/undo`: undoes the key's changes since then, up to what the person has seen. */
export const postUndo = async (context: SignedInContext): Promise<PageReply> => {
  const { id: accountId } = context.who.account;
  const key = await readKey(context.store, accountId, context.pathId ?? "");
  const choice = field(context.form, "since");
  const since = parseInstant(choice);
  const upTo = readVersion(field(context.form, "up_to"));
  if (since === null || upTo === null)
    throw invalid("The form does not say what to undo. Start again from your API keys.");
  const problems = await proveAgain(context);
  if (!isEmpty(problems)) return show(context, key, { choice, at: "", zone: 0 }, since, problems);
  await undoKey(context.store, accountId, { keyId: key.id, since, upTo }, context.now);
  const query = new URLSearchParams({ since: formatInstant(since), undone: String(context.now) });
  return seeOther(`${keyPath(key.id, "undo")}?${query}`);
};

const show = async (
  context: SignedInContext,
  key: ApiKey,
  typed: Typed,
  since: Instant | null,
  problems: Problems,
): Promise<PageReply> => {
  const { id: accountId } = context.who.account;
  const upTo = await newestVersion(context.store, accountId);
  const request = { keyId: key.id, since: since ?? 0, upTo };
  const found = since === null ? [] : await previewUndo(context.store, accountId, request);
  const records = await nameRecords(context, found);
  const at = readVersion(context.query.get("undone") ?? "");
  const undone = at === null ? null : await countUndone(context.store, accountId, at);
  const plan = since === null ? null : { since, upTo, records };
  return html(
    <UndoPage
      context={context}
      of={key}
      typed={typed}
      plan={plan}
      undone={undone}
      problems={problems}
    />,
    { status: isEmpty(problems) ? 200 : 422 },
  );
};
