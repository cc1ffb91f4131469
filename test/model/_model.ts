import type { Instant } from "../../src/domain/base/instant.ts";
import type { Payload } from "../../src/domain/base/payload.ts";
import { keyOf, type PushedRow, type PushReply, type Row } from "../support/client.ts";
import { listOf } from "../support/edits.ts";
import type { AgentCall, Filed, StoredRow } from "../support/world.ts";
import { arrive, exactly, type Standing, type Version, versionOf, wasClamped } from "./_lww.ts";

/**
 * A record by the rules. As long as only devices wrote it, the later write wins, byte for byte. Once
 * something was done to it over REST, a push may be merged, and only the server says what that comes to.
 */
type ModelRecord = Standing & {
  /** The server's stamp; null while a new one is due. */
  readonly stamp: Instant | null;
  /** Whether anything was done to it over REST. */
  readonly isTouched: boolean;
  /** Whether it was just merged. Then what the server has is taken over. */
  readonly isMerged: boolean;
  /** What was refused as stale so far, exactly as it was sent. */
  readonly refused: readonly string[];
};

/** What the rules say of one account. */
export type Model = {
  readonly records: Map<string, ModelRecord>;
  /** Who filed the tabs and notes that were filed over REST, by id. */
  readonly authors: Map<string, string | null>;
};

export const newModel = (): Model => ({ records: new Map(), authors: new Map() });

export const copyModel = (model: Model): Model => structuredClone(model);

/** How a record is listed in the reply to a push; null if it is not. */
export type Reason = "clamped" | "merged" | "stale" | null;

export const reasonOf = ({ rejected }: PushReply, row: Row): Reason =>
  (rejected.find((one) => keyOf(one) === keyOf(row))?.reason ?? null) as Reason;

/** Applies a push that was answered. Throws if the answer is against the rules. */
export const pushed = (
  model: Model,
  changes: readonly PushedRow[],
  reply: PushReply,
  now: Instant,
): void => {
  const merged = new Set(reply.merged.map(keyOf));
  for (const row of changes) {
    const key = keyOf(row);
    const before = model.records.get(key) ?? null;
    const hasFiled = LISTS.some((list) =>
      listOf(row.payload, list).some(({ id = "" }) => model.authors.has(id)),
    );
    const sent = versionOf(row);
    const isTouched = hasFiled || (before?.isTouched ?? false);
    const { says, ...arrival } = wasRefused(before, sent)
      ? ({ says: "lost" } as const)
      : arrive(before, sent, now, row.base_updated_at);
    const reason = reasonOf(reply, row);
    const allowed = REASONS[isTouched ? "touched" : "plain"][says];
    // An edit from before a write over REST is news all the same, unless it was clamped.
    const isOldClamp = isTouched && says === "lost" && wasClamped(before, sent);
    if (!allowed.includes(reason) && !(isOldClamp && reason === "clamped"))
      throw new Error(`${key} ${says} and is listed as ${reason}`);
    if (merged.has(key) && !(isTouched && (reason === "merged" || reason === "clamped")))
      throw new Error(`${key} ${says}, is listed as ${reason}, and as merged`);
    const standing = "standing" in arrival ? arrival.standing : before;
    if (standing === null) throw new Error("nothing can lose to nothing");
    const isWritten = "standing" in arrival;
    const isMerged = merged.has(key) || (hasFiled && reason === "stale");
    const stamp = isWritten && !isMerged ? null : (before?.stamp ?? null);
    const refused = [...(before?.refused ?? []), ...(reason === "stale" ? [exactly(sent)] : [])];
    model.records.set(key, { ...standing, stamp, isTouched, isMerged, refused });
  }
};

/** Beside a clamped stamp, what lost once stays lost, if there is work over REST that it could take back. */
const wasRefused = (before: ModelRecord | null, sent: Version): boolean =>
  before !== null &&
  before.isTouched &&
  before.clamp !== null &&
  before.refused.includes(exactly(sent));

const PLAIN = {
  clamped: ["clamped"],
  "clamped again": ["clamped"],
  lost: ["stale"],
  same: [null],
  "too far ahead": ["stale"],
  won: [null],
} as const;

const REASONS: Record<"plain" | "touched", Record<keyof typeof PLAIN, readonly Reason[]>> = {
  plain: PLAIN,
  touched: { ...PLAIN, lost: ["stale", "merged"], won: [null, "merged"] },
};

export const LISTS = ["pages", "notes"] as const;

/** Records an agent's call that was answered: it changes a field, and adds tabs and notes at the end. */
export const filed = (
  model: Model,
  call: AgentCall,
  { task, children }: Filed,
  now: Instant,
): void => {
  const key = keyOf({ table: "sync_tasks", id: task });
  const before = model.records.get(key);
  const payload = before ? before.version.payload : { ...NEW_TASK, title: titleOf(call) };
  const author = { created_by: "agent", created_by_key: "bot" };
  const created_at = new Date(now).toISOString();
  const items = children.map(({ id, list, value }) => {
    const content = list === "pages" ? { url: value, title: call.text } : { text: value };
    return { list, item: { id, ...author, created_at, ...content } };
  });
  const added = LISTS.map((list) => {
    const mine = items.filter((one) => one.list === list).map(({ item }) => item);
    return [list, mine.length > 0 ? [...listOf(payload, list), ...mine] : payload[list]];
  }).filter(([, list]) => list !== undefined);
  const set =
    call.act === "patch" && (payload[call.field] ?? null) !== call.value
      ? { [call.field]: call.value }
      : {};
  const content = { ...payload, ...Object.fromEntries(added), ...set } as Payload;
  rewrite(model, key, { payload: content, deletedAt: null }, now);
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

/** Records that a person restored or undid something. The model takes the result from the server. */
export const owned = (model: Model, rows: readonly StoredRow[], now: Instant): void => {
  for (const row of rows) {
    const content = { payload: row.payload, deletedAt: row.deleted_at };
    rewrite(model, keyOf(row), content, now);
  }
};

type Content = Pick<Version, "deletedAt" | "payload">;

/** A write over REST: a new version, later than any the record had. */
const rewrite = (model: Model, key: string, content: Content, now: Instant): void => {
  const before = model.records.get(key);
  if (before && sameContent(before.version, content)) return;
  const updated = Math.max(now, (before?.version.updated ?? 0) + 1);
  const version = { ...content, updated, text: new Date(updated).toISOString() };
  const { clamp = null, clamped = [] } = before ?? {};
  const refused = before?.refused ?? [];
  const record = {
    version,
    clamp,
    clamped,
    stamp: null,
    isTouched: true,
    isMerged: false,
    refused,
  };
  model.records.set(key, record);
};

export const sameContent = (one: Content, other: Content): boolean =>
  one.deletedAt === other.deletedAt && Bun.deepEquals(one.payload, other.payload);
