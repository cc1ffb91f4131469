import { formatInstant, type Instant } from "../../src/domain/base/instant.ts";
import type { PushReply, Row } from "./client.ts";
import { ask, type Ledger, noteTime, recordOf, type Target } from "./load.ts";

/**
 * A device with a session of its own that seldom syncs. When it sends a task, an agent has filed
 * more into it meanwhile, and its copies of other devices' tasks are old.
 */
export type Tablet = {
  since: string | null;
  /** The agents' tasks, as it last had them. */
  readonly tasks: Map<string, Row["payload"]>;
  /** What it sent without an answer. It is sent again first. */
  unanswered: readonly Edit[];
  edits: number;
  updated: Instant;
};

type Edit = Pick<Row, "id" | "payload" | "table" | "updated_at">;

export const newTablet = (): Tablet => ({
  since: null,
  tasks: new Map(),
  unanswered: [],
  edits: 0,
  updated: 0,
});

/** Pulls, waits while others work, and sends what it has changed since. */
export const editLateOn = async (ledger: Ledger, target: Target, tablet: Tablet): Promise<void> => {
  while (!target.isOver()) {
    if (!(await look(ledger, target, tablet))) return;
    // An edit counts as made with knowledge of a pull only if it is later, in whole ms.
    await Bun.sleep(2 + target.random(10));
    if (!(await send(ledger, target, tablet))) return;
  }
};

const look = async (ledger: Ledger, target: Target, tablet: Tablet): Promise<boolean> => {
  const query = tablet.since === null ? "" : `?since=${encodeURIComponent(tablet.since)}`;
  const answered = await ask(ledger, target, ["GET", `/sync${query}`], { token: target.session });
  if (answered === null) return false;
  const { changes } = answered.json as { changes: { sync_tasks: readonly AuthoredRow[] } };
  for (const { id, payload, created_by } of changes.sync_tasks)
    if (created_by === "agent") tablet.tasks.set(id, payload);
  const time = (tablet.since = String(answered.json["server_time"]));
  answered.note((into) => noteTime(into, time));
  return true;
};

type AuthoredRow = Row & { readonly created_by: string };

const send = async (ledger: Ledger, target: Target, tablet: Tablet): Promise<boolean> => {
  if (tablet.unanswered.length === 0) tablet.unanswered = nextEdits(ledger, target, tablet);
  const body = tablet.unanswered;
  const path = `/sync?since=${encodeURIComponent(tablet.since ?? "")}`;
  const answered = await ask(ledger, target, ["POST", path], { token: target.session, body });
  if (answered === null) return false;
  const reply = answered.json as PushReply;
  const edits = body.filter(isEdit);
  for (const { id, payload } of edits) tablet.tasks.set(id, payload);
  for (const { id, server_row } of reply.rejected)
    if (tablet.tasks.has(id)) tablet.tasks.set(id, server_row.payload);
  for (const one of body)
    if (!isRightly(one, reply)) ledger.surprises.push(`${one.id}: ${JSON.stringify(reply)}`);
  answered.note(({ marks }) => {
    for (const { id, payload } of edits) marks.set(id, Number(payload["mark"]));
  });
  tablet.unanswered = [];
  return true;
};

/** An edit of its own, and not its copy of another device's. */
const isEdit = ({ payload }: Edit): boolean => "mark" in payload;

/**
 * Another device's old version is refused. Its own edit never is: if the reply says that a later
 * version is stored, as after a retry, its edit is in that version.
 */
const isRightly = (one: Edit, { rejected, invalid }: PushReply): boolean => {
  const stale = rejected.find(({ id, reason }) => id === one.id && reason === "stale");
  const stands = !stale || stale.server_row.payload["mark"] === one.payload["mark"];
  return invalid.length === 0 && (isEdit(one) ? stands : stale !== undefined);
};

/**
 * An edit of some tasks that agents filed, and an old version of what another device has pushed
 * since.
 */
const nextEdits = (ledger: Ledger, { random }: Target, tablet: Tablet): readonly Edit[] => {
  const mark = (tablet.edits += 1);
  const updated_at = formatInstant((tablet.updated = Math.max(Date.now(), tablet.updated + 1)));
  const newest = [...tablet.tasks].slice(-4);
  const edits = newest
    .filter(() => random(2) === 0)
    .map(([id, payload]) => ({
      table: "sync_tasks" as const,
      id,
      updated_at,
      payload: { ...payload, mark },
    }));
  const pushed = [...ledger.pushed].filter(([, version]) => version > 1);
  const [id, version] = pushed[random(pushed.length)] ?? ["", 0];
  return id === "" ? edits : [...edits, recordOf({ id, version: version - 1 }, random)];
};
