import type { Store } from "../../src/db/store.ts";
import { payloadOf, type RecordRow } from "../../src/domain/records/row.ts";
import { record } from "../../src/db/schema/records.ts";
import { version } from "../../src/db/schema/history.ts";
import { newestVersion, undoKeys } from "../../src/db/history/undo.ts";
import type { Instant } from "../../src/domain/base/instant.ts";
import { Refusal } from "../../src/domain/base/refusal.ts";
import { listOf } from "./edits.ts";
import type { OwnerAct } from "./histories.ts";
import type { AgentCall, Filed } from "./world.ts";
import {
  addNote,
  createTask,
  fileInbox,
  fileTabs,
  patchTask,
  restoreDeleted,
  restoreVersion,
} from "./rules.ts";

const LISTS = ["pages", "notes"] as const;

export const urlOf = (text: string): string => `https://example.org/${text}`;

const BOTS = ["key-0", "key-1"] as const;

/** An agent's call without HTTP. Null if it was refused. */
export const callAgent = async (
  store: Store,
  accountId: number,
  call: AgentCall,
  now: Instant,
): Promise<Filed | null> => {
  try {
    const row = await write(store, accountId, call, now);
    return { task: row.id, children: childrenOf(row, call.text) };
  } catch (error) {
    if (isRefused(error)) return null;
    throw error;
  }
};

const write = (
  store: Store,
  accountId: number,
  { key, act, task, text, field, value }: AgentCall,
  now: Instant,
): Promise<RecordRow> => {
  const bot = { kind: "api_key", id: BOTS[key], name: "bot", restriction: null } as const;
  const tabs = [{ url: urlOf(text), title: text }];
  switch (act) {
    case "task":
      return createTask(store, accountId, { title: text, tabs, notes: [text] }, bot, now);
    case "tabs":
      return fileTabs(store, accountId, task, tabs, bot, now);
    case "note":
      return addNote(store, accountId, task, text, bot, now);
    case "inbox":
      return fileInbox(store, accountId, tabs, bot, now);
    case "patch": {
      const change = { patch: { [field]: value }, ifMatch: null };
      return patchTask(store, accountId, task, change, bot, now);
    }
  }
};

const childrenOf = (row: RecordRow, text: string): Filed["children"] =>
  LISTS.flatMap((list) =>
    listOf(payloadOf(row), list).flatMap(({ id = "", url, text: note }) => {
      const value = url ?? note ?? "";
      return value === text || value === urlOf(text) ? [{ id, list, value }] : [];
    }),
  );

/** For a deleted task, one in the trash, or a folder that does not exist: nothing was changed. */
const isRefused = (error: unknown): boolean => error instanceof Refusal;

/**
 * Does what a person does in the account area, without its pages. Does nothing if there is nothing
 * to do.
 */
export const actAsOwner = async (
  store: Store,
  accountId: number,
  act: OwnerAct,
  pick: number,
  now: Instant,
): Promise<void> => {
  try {
    await own(store, accountId, act, pick, now);
  } catch (error) {
    if (!isRefused(error)) throw error;
  }
};

const own = async (
  store: Store,
  accountId: number,
  act: OwnerAct,
  pick: number,
  now: Instant,
): Promise<void> => {
  if (act === "undo") {
    const upTo = await newestVersion(store, accountId);
    const request = { keyIds: [BOTS[pick % 2 === 0 ? 0 : 1]], since: 0, upTo };
    return void (await undoKeys(store, accountId, request, now));
  }
  if (act === "restore version") {
    const versions = store.reader.select({ id: version.id }).from(version).all();
    const chosen = versions.at(-1 - pick);
    if (chosen) await restoreVersion(store, accountId, chosen.id, now);
    return;
  }
  const gone = store.reader
    .select()
    .from(record)
    .all()
    .filter(({ deletedAt, trashed }) => deletedAt !== null || trashed === 1);
  const chosen = gone[pick % gone.length];
  if (chosen) await restoreDeleted(store, accountId, chosen.table, chosen.id, now);
};
