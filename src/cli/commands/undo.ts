import { shownName } from "../../domain/base/text.ts";
import { parseLifetime } from "../../domain/people/api-key.ts";
import { listKeys } from "../../db/people/api-keys.ts";
import { readContainerNames, readNames } from "../../db/history/walk.ts";
import type { Store } from "../../db/store.ts";
import { newestVersion, previewUndo, type UndoneRecord, undoKeys } from "../../db/history/undo.ts";
import { missingUntil } from "../../db/history/quota.ts";
import { whoIs } from "../../domain/history/event.ts";
import { type Instant, parseInstant } from "../../domain/base/instant.ts";
import { type Move, withNames } from "../../domain/history/comparison.ts";
import { notFound } from "../../domain/base/refusal.ts";
import type { Undoing } from "../../domain/history/undo.ts";
import { list, UsageError } from "../../domain/base/usage.ts";
import { type Command, required, type Run, withStore } from "../command.ts";
import { short } from "./history.ts";
import { plain, printList, type Row, time } from "../terminal.ts";

/**
 * Undoes what keys changed since a time, and lists it. With `--dry-run` it only lists. Exits with 1 if something could not
 * be brought back.
 */
export const undoCommand: Command = {
  name: "undo",
  usage: "--key ID[,ID] --since TIME|2h|3d [--dry-run] [--json]",
  about:
    "undo what an API key changed since a time, except what was changed again later. Several keys are undone as one",
  flags: { key: true, since: true, "dry-run": false, json: false },
  words: [0, 0],
  run: async (run) => {
    const since = sinceOf(required(run, "since"), run.now());
    const ids = list(required(run, "key"));
    return withStore(run, async (store) => {
      const accountId = await accountOf(store, ids);
      const missing = await missingUntil(store, accountId, since);
      const records = await recordsOf(run, store, { ids, accountId, since });
      const rows = await rowsOf(store, accountId, records, run.has("dry-run"));
      printList(run, rows, "There is nothing left to undo for this key since then.");
      const refused = records.filter((record) => record.refused !== null);
      for (const { title, refused: why } of refused)
        run.say(`Not undone: "${plain(short(shownName(title)))}". ${why}`);
      if (missing !== null)
        run.say(
          `Docket does not keep all versions from before ${time(missing)}. What the key did before then may not have been undone.`,
        );
      return refused.length > 0 || missing !== null ? 1 : 0;
    });
  },
};

/** The one account of all these keys. */
const accountOf = async (store: Store, ids: readonly string[]): Promise<number> => {
  const keys = (await listKeys(store, null)).filter(({ id }) => ids.includes(id));
  const [accountId, ...others] = new Set(keys.map((key) => key.accountId));
  if (accountId === undefined || keys.length < new Set(ids).size) throw notFound("API key");
  if (others.length > 0) throw new UsageError("--key must name keys of one account.");
  return accountId;
};

/** Reads an RFC 3339 time, or a length of time before now. */
const sinceOf = (text: string, now: Instant): Instant => {
  const length = parseLifetime(text);
  const since = parseInstant(text) ?? (length === null ? null : now - length);
  if (since !== null && Number.isFinite(since)) return since;
  throw new UsageError(
    "--since must be a time such as 2026-01-31T09:30:00Z, or a length of time such as 2h or 3d.",
  );
};

type UndoRange = {
  readonly ids: readonly string[];
  readonly accountId: number;
  readonly since: Instant;
};

const recordsOf = async (
  run: Run,
  store: Store,
  { ids, accountId, since }: UndoRange,
): Promise<readonly UndoneRecord[]> => {
  const request = { keyIds: ids, since, upTo: await newestVersion(store, accountId) };
  return run.has("dry-run")
    ? previewUndo(store, accountId, request)
    : undoKeys(store, accountId, request, run.now());
};

const rowsOf = async (
  store: Store,
  accountId: number,
  records: readonly UndoneRecord[],
  isDry: boolean,
): Promise<readonly Row[]> => {
  const names = await readNames(store, accountId);
  const moves = records.flatMap(({ undoings }) => undoings.map(moveOf));
  const places = await readContainerNames(store, accountId, moves);
  return records.flatMap(({ table, id, title, undoings }) =>
    undoings.map((undoing) => {
      const { from, to } = withNames(moveOf(undoing), places);
      const { what, at, state, changedBy } = undoing;
      const changer = changedBy && whoIs(changedBy.kind, changedBy.id, names);
      return {
        kind: table === "sync_tasks" ? "task" : "folder",
        id,
        title: short(title),
        at: time(at),
        what,
        from: from === null ? null : short(from),
        to: to === null ? null : short(to),
        state: state === "undone" && isDry ? "would be undone" : STATES[state],
        changed_by: changer && changer.words + changer.name,
      };
    }),
  );
};

const moveOf = ({ what, from, to }: Undoing): Move => ({ field: what, from, to });

const STATES: Readonly<Record<Undoing["state"], string>> = {
  changed: "stays",
  gone: "gone already",
  undone: "undone",
};
