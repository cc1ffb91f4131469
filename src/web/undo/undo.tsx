import type { ApiKey } from "../../domain/people/api-key.ts";
import { listKeys, readKey } from "../../db/people/api-keys.ts";
import { newestVersion, previewUndo, undoKeys } from "../../db/history/undo.ts";
import { missingUntil, releaseVersions } from "../../db/history/quota.ts";
import { countUndone } from "../../db/history/undo-count.ts";
import { formatInstant, type Instant, parseInstant } from "../../domain/base/instant.ts";
import { invalid } from "../../domain/base/refusal.ts";
import type { SignedInContext } from "../shared/page.ts";
import { proveAgain } from "../entry/proof.ts";
import { field, isEmpty, NO_PROBLEMS, type Problems } from "../shared/form.ts";
import { readVersion } from "../history/history.tsx";
import { keyPath } from "../keys/table.tsx";
import { html, type PageReply, seeOther } from "../shared/reply.tsx";
import { UndoPage } from "./page.tsx";
import { nameRecords } from "./record.tsx";
import { othersIn, readSince, type Typed, typedSince } from "./plan.tsx";

/**
 * `GET /account/keys/:id/undo?since=&at=&zone=&with.ID=`: what undoing the key's changes since then would do, together
 * with those of the other keys named. After an undo, `undone` is when it happened, and the list shows what is left. After
 * keeping, `kept` is set.
 */
export const getUndo = async (context: SignedInContext): Promise<PageReply> => {
  const key = await readKey(context.store, context.who.account.id, context.pathId ?? "");
  const typed = typedSince(new Map(context.query));
  if (typed.choice === "" && typed.at === "") return show(context, key, typed, null, NO_PROBLEMS);
  const since = readSince(typed, context.now);
  const problems = since === null ? { at: "Enter a date and time, such as 2026-01-31T09:30." } : {};
  return show(context, key, typed, since, problems);
};

/**
 * `POST /account/keys/:id/undo`: undoes the changes of the key, and of those named with it, since then, up to what the
 * person has seen.
 */
export const postUndo = async (context: SignedInContext): Promise<PageReply> => {
  const { id: accountId } = context.who.account;
  const key = await readKey(context.store, accountId, context.pathId ?? "");
  const choice = field(context.form, "since");
  const since = parseInstant(choice);
  const upTo = readVersion(field(context.form, "up_to"));
  if (since === null || upTo === null)
    throw invalid("The form does not say what to undo. Start again from your API keys.");
  const problems = await proveAgain(context);
  const others = othersIn(context.form);
  const typed = { choice, at: "", zone: 0, others };
  if (!isEmpty(problems)) return show(context, key, typed, since, problems);
  const request = { keyIds: await keyIds(context, key, others), since, upTo };
  const records = await undoKeys(context.store, accountId, request, context.now);
  const refused = records.find((record) => record.refused !== null)?.refused;
  if (refused) return show(context, key, typed, since, { "": refused });
  const query = new URLSearchParams({
    since: formatInstant(since),
    undone: String(context.now),
    ...Object.fromEntries(others.map((id) => [`with.${id}`, "yes"])),
  });
  return seeOther(`${keyPath(key.id, "undo")}?${query}`);
};

/** `POST /account/keys/:id/keep`: keeps what the key did so far. It no longer counts against the key's share. */
export const postKeep = async (context: SignedInContext): Promise<PageReply> => {
  const { id: accountId } = context.who.account;
  const key = await readKey(context.store, accountId, context.pathId ?? "");
  const upTo = readVersion(field(context.form, "keep_up_to"));
  if (upTo === null)
    throw invalid("The form does not say what to keep. Start again from your API keys.");
  const problems = await proveAgain(context);
  const typed = { choice: "", at: "", zone: 0, others: [] };
  if (!isEmpty(problems)) return show(context, key, typed, null, problems);
  await releaseVersions(context.store, accountId, { keyIds: [key.id], since: 0, upTo });
  return seeOther(`${keyPath(key.id, "undo")}?kept=yes`);
};

/** The account's keys among these, and the key itself. */
const keyIds = async (
  { store, who }: SignedInContext,
  key: ApiKey,
  others: readonly string[],
): Promise<readonly string[]> => {
  const known = await listKeys(store, who.account.id);
  return [key.id, ...known.flatMap(({ id }) => (others.includes(id) && id !== key.id ? [id] : []))];
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
  const request = { keyIds: await keyIds(context, key, typed.others), since: since ?? 0, upTo };
  const found = since === null ? [] : await previewUndo(context.store, accountId, request);
  const records = await nameRecords(context, found);
  const at = readVersion(context.query.get("undone") ?? "");
  const undone = at === null ? null : await countUndone(context.store, accountId, at);
  const missing = since === null ? null : await missingUntil(context.store, accountId, since);
  const plan = since === null ? null : { since, upTo, records, missing };
  const others = (await listKeys(context.store, accountId)).filter(
    ({ id, scopes }) => id !== key.id && scopes.includes("write"),
  );
  return html(
    <UndoPage
      context={context}
      of={key}
      others={others}
      upTo={upTo}
      typed={typed}
      plan={plan}
      undone={undone}
      problems={problems}
    />,
    { status: isEmpty(problems) ? 200 : 422 },
  );
};
