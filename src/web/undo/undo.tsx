import type { ApiKey } from "../../apikey.ts";
import { readKey } from "../../db/keys.ts";
import { newestVersion, previewUndo, undoKey } from "../../db/undo.ts";
import { countUndone } from "../../db/undone.ts";
import { formatInstant, type Instant, parseInstant } from "../../instant.ts";
import { invalid } from "../../refusal.ts";
import type { SignedInAsk } from "../ask.ts";
import { proveAgain } from "../entry/proof.ts";
import { field, isEmpty, NO_PROBLEMS, type Problems } from "../form.ts";
import { readVersion } from "../history/history.tsx";
import { keyPath } from "../keys/table.tsx";
import { html, type PageReply, seeOther } from "../reply.tsx";
import { UndoPage } from "./page.tsx";
import { nameRecords } from "./records.ts";
import { readSince, type Typed, typedSince } from "./since.ts";

/**
 * `GET /account/keys/:id/undo?since=&at=&zone=`: what undoing the key's changes since then would do. After an
 * undo, `undone` is when it happened, and the list shows what is left.
 */
export const getUndo = async (ask: SignedInAsk): Promise<PageReply> => {
  const key = await readKey(ask.store, ask.who.account.id, ask.pathId ?? "");
  const typed = typedSince(ask.query);
  if (typed.choice === "" && typed.at === "") return show(ask, key, typed, null, NO_PROBLEMS);
  const since = readSince(typed, ask.now);
  const problems = since === null ? { at: "Enter a date and time, such as 2026-01-31T09:30." } : {};
  return show(ask, key, typed, since, problems);
};

/** `POST /account/keys/:id/undo`: undoes the key's changes since then, up to what the person has seen. */
export const postUndo = async (ask: SignedInAsk): Promise<PageReply> => {
  const { id: accountId } = ask.who.account;
  const key = await readKey(ask.store, accountId, ask.pathId ?? "");
  const choice = field(ask.form, "since");
  const since = parseInstant(choice);
  const upTo = readVersion(field(ask.form, "up_to"));
  if (since === null || upTo === null)
    throw invalid("The form does not say what to undo. Start again from your API keys.");
  const problems = await proveAgain(ask);
  if (!isEmpty(problems)) return show(ask, key, { choice, at: "", zone: 0 }, since, problems);
  await undoKey(ask.store, accountId, { keyId: key.id, since, upTo }, ask.now);
  const query = new URLSearchParams({ since: formatInstant(since), undone: String(ask.now) });
  return seeOther(`${keyPath(key.id, "undo")}?${query}`);
};

const show = async (
  ask: SignedInAsk,
  key: ApiKey,
  typed: Typed,
  since: Instant | null,
  problems: Problems,
): Promise<PageReply> => {
  const { id: accountId } = ask.who.account;
  const upTo = await newestVersion(ask.store, accountId);
  const request = { keyId: key.id, since: since ?? 0, upTo };
  const found = since === null ? [] : await previewUndo(ask.store, accountId, request);
  const records = await nameRecords(ask, found);
  const at = readVersion(ask.query.get("undone") ?? "");
  const undone = at === null ? null : await countUndone(ask.store, accountId, at);
  const plan = since === null ? null : { since, upTo, records };
  return html(
    <UndoPage ask={ask} of={key} typed={typed} plan={plan} undone={undone} problems={problems} />,
    { status: isEmpty(problems) ? 200 : 422 },
  );
};
