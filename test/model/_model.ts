import type { Instant } from "../../src/domain/base/instant.ts";
import type { Payload } from "../../src/domain/base/payload.ts";
import { keyOf, type PullReply, type Row, rowsOf } from "../support/client.ts";
import type { Sent } from "../support/device.ts";
import { listOf } from "../support/edits.ts";
import type { Which } from "../support/histories.ts";
import type { AgentCall, Filed, StoredRow } from "../support/world.ts";
import { give, hasSeen, hear, type ModelAck, NOTHING_HEARD } from "./_acks.ts";
import type { Version } from "./_lww.ts";
import { LISTS, NO_WORK, type RestWork, type Knowledge } from "./_merge.ts";
import { type Answer, type ModelRecord, takePush } from "./_records.ts";
import { afterRestore, afterWrite } from "./_rest.ts";

/** What the rules say of one account: its records, and what each device is known to have stored. */
export type Model = {
  readonly records: Map<string, ModelRecord>;
  readonly acks: Map<Which, ModelAck>;
  /** The ids of all tabs and notes that keys ever filed. */
  readonly filed: Set<string>;
  inbox: string | null;
};

export const newModel = (): Model => ({
  records: new Map(),
  acks: new Map(),
  filed: new Set(),
  inbox: null,
});

export const copyModel = (model: Model): Model => structuredClone(model);

const ackOf = ({ acks }: Model, device: Which): ModelAck => acks.get(device) ?? NOTHING_HEARD;

export const heard = (model: Model, device: Which, since: string | null): void => {
  model.acks.set(device, hear(ackOf(model, device), since === null ? null : Date.parse(since)));
};

/** Records a pull that was answered. It may have left out what was written meanwhile. */
export const gave = (model: Model, device: Which, reply: PullReply, now: Instant): void => {
  const time = Date.parse(reply.server_time);
  const stamps = [...model.records.values()].map(({ stamp }) => stamp ?? 0);
  const whole = !reply.has_more && stamps.every((stamp) => stamp <= time);
  const rows = rowsOf(reply).flatMap((row) => {
    const stamp = model.records.get(keyOf(row))?.stamp;
    return stamp === undefined || stamp === null ? [] : [{ record: keyOf(row), stamp }];
  });
  // When the server sent a page does not matter, because a page proves nothing by itself.
  const at = reply.has_more ? now : time;
  model.acks.set(device, give(ackOf(model, device), { time, at, whole }, rows));
};

/**
 * Whether a push can have known a tab or note that was filed. Call this before the push is applied.
 */
export const seesChild = (
  model: Model,
  device: Which,
  { changes, since }: Pick<Sent, "changes" | "since">,
  now: Instant,
): ((key: string, value: string) => boolean) => {
  const ack = ackFor(model, device, since);
  const held = changes.map((row) => {
    const { children = [] } = model.records.get(keyOf(row))?.work ?? {};
    return { key: keyOf(row), children, moment: Math.min(Date.parse(row.updated_at), now) };
  });
  return (key, value) => {
    const knowledge = held.find((one) => one.key === key);
    const child = knowledge?.children.find(({ item }) => (item.url ?? item.text) === value);
    if (!knowledge || !child || child.stamp === null) return true;
    return hasSeen(ack, key, child.stamp, knowledge.moment);
  };
};

const ackFor = (model: Model, device: Which, since: string | undefined): ModelAck => {
  const known = ackOf(model, device);
  return since === undefined ? known : hear(known, Date.parse(since));
};

/** Applies a push and returns one answer for each of its records. */
export const pushed = (
  model: Model,
  device: Which,
  { changes, since }: Pick<Sent, "changes" | "since">,
  now: Instant,
): readonly Answer[] => {
  const ack = ackFor(model, device, since);
  return changes.map((row) => {
    const before = model.records.get(keyOf(row)) ?? null;
    const isAgents = (id: string): boolean => row.table === "sync_tasks" && model.filed.has(id);
    const push = { sent: versionOf(row), knowledgeAt: knowledgeOf(ack, keyOf(row)), isAgents, now };
    const { record, answer } = takePush(before, push);
    model.records.set(keyOf(row), record);
    return answer;
  });
};

/**
 * Without an acknowledgement, no filed tab or note counts as known, so that none is lost. A field's
 * change counts as unknown only if its own stamp is later than the edit's, and something removed
 * before the edit may have been saved again.
 */
const knowledgeOf =
  (ack: ModelAck, key: string) =>
  (moment: Instant): Knowledge => ({
    stamp: (stamp) => hasSeen(ack, key, stamp, moment),
    change: ({ stamp, updated }) =>
      ack.since === null ? updated <= moment : hasSeen(ack, key, stamp, moment),
    again: (stamp) => ack.since === null && moment > stamp,
  });

const versionOf = (row: Row): Version => ({
  updated: Date.parse(row.updated_at),
  text: row.updated_at,
  deletedAt: row.deleted_at,
  payload: row.payload,
});

/** Records an agent's call that was answered. */
export const filed = (
  model: Model,
  call: AgentCall,
  { task, children }: Filed,
  now: Instant,
): void => {
  const key = keyOf({ table: "sync_tasks", id: task });
  const before = model.records.get(key) ?? null;
  const payload = before ? before.version.payload : { ...NEW_TASK, title: titleOf(call) };
  const author = { created_by: "agent", created_by_key: "bot" };
  const created_at = new Date(now).toISOString();
  const items = children.map(({ id, list, value }) => {
    const content = list === "pages" ? { url: value, title: call.text } : { text: value };
    return { id, list, item: { id, ...author, created_at, ...content } };
  });
  const added = LISTS.map((list) => {
    const mine = items.filter((one) => one.list === list).map(({ item }) => item);
    return [list, mine.length > 0 ? [...listOf(payload, list), ...mine] : payload[list]];
  }).filter(([, list]) => list !== undefined);
  const set =
    call.act === "patch" && (payload[call.field] ?? null) !== call.value
      ? { [call.field]: call.value }
      : {};
  for (const { id } of children) model.filed.add(id);
  if (call.act === "inbox") model.inbox = task;
  const content = { ...payload, ...Object.fromEntries(added), ...set } as Payload;
  rewrite(model, key, { payload: content, deletedAt: null }, afterWrite, now);
};

const titleOf = ({ act, text }: AgentCall): string => (act === "inbox" ? "Agent unsorted" : text);

const NEW_TASK = {
  status: "todo",
  colour: null,
  project_id: null,
  bucket_id: null,
  pages: [],
  notes: [],
};

/**
 * Records that a person restored or undid something. The model takes the result from the server,
 * and still checks that it lasts.
 */
export const owned = (model: Model, rows: readonly StoredRow[], now: Instant): void => {
  for (const row of rows) {
    const content = { payload: row.payload, deletedAt: row.deleted_at };
    rewrite(model, keyOf(row), content, afterRestore, now);
  }
};

/**
 * A write outside of sync: a new version, later than any the record had. New items in its lists
 * count as filed.
 */
const rewrite = (
  model: Model,
  key: string,
  content: Pick<Version, "deletedAt" | "payload">,
  workOf: (before: ModelRecord, after: Version) => RestWork,
  now: Instant,
): void => {
  const before = model.records.get(key) ?? null;
  if (before && sameContent(before.version, content)) return;
  const updated = Math.max(now, (before?.version.updated ?? 0) + 1);
  const version = { ...content, updated, text: new Date(updated).toISOString() };
  const empty: ModelRecord = {
    version: NOTHING,
    stamp: null,
    clamp: null,
    pushed: null,
    work: NO_WORK,
  };
  const work = workOf(before ?? empty, version);
  const changes = before ? work.changes : [];
  model.records.set(key, {
    ...(before ?? empty),
    version,
    stamp: null,
    work: { ...work, changes },
  });
};

const NOTHING: Version = { updated: 0, text: "", deletedAt: null, payload: {} };

const sameContent = (
  one: Pick<Version, "deletedAt" | "payload">,
  other: Pick<Version, "deletedAt" | "payload">,
): boolean => one.deletedAt === other.deletedAt && Bun.deepEquals(one.payload, other.payload);
