import { formatInstant, parseInstant } from "../../domain/base/instant.ts";
import { isObject, type Payload, sameJson, textField } from "../../domain/base/payload.ts";
import { lostIn } from "../lost.ts";
import { type MergeRules, nameOf, threeWay } from "../../domain/sync/three-way.ts";
import { mergeText, type TextKind } from "../merge-text.ts";
import type { RejectedRow, ServerRow } from "../sync/wire.ts";
import {
  type Made,
  type PendingEdit,
  type Row,
  shownVersion,
  type Version,
  withEdit,
  withoutEdit,
} from "./row.ts";

// An edit is sent only on top of the version that the server has. If that is a later one than the edit was made on, the
// edit is made again on the later one: what only one side changed is as that side has it.

type ByDevices = Pick<RejectedRow, "byDevices" | "devicesAt" | "isDeletedByDevice">;
type Theirs = Version & ByDevices;

/** A row as the server gave it. What devices did is known of those that a push brought. */
export type GivenRow = ServerRow & Partial<ByDevices>;

/**
 * Returns a row to which the server has given its current version. What waits or was refused is made again on top of that:
 * it was made on `ground`, which is null for a new record. `order` is that of the edit that comes of it.
 */
export const withServer = (
  row: Row,
  given: GivenRow,
  ground: Version | null,
  order: number,
): Row => {
  const server = versionOf(given);
  const { createdBy, createdByKey, rev } = given;
  const taken = { ...row, server, rev, createdBy, createdByKey };
  const theirs = {
    ...server,
    devicesAt: given.devicesAt ?? null,
    byDevices: given.byDevices ?? {},
    isDeletedByDevice: given.isDeletedByDevice ?? null,
  };
  if (row.edit && (row.edit.isResent || row.edit.adrift === "new")) {
    const edit = joined(row, row.edit, theirs, order);
    return isSame(edit, server) ? withoutEdit(taken) : withEdit(row, edit);
  }
  if (row.edit) {
    const edit = rebased(ground, row.edit, theirs, order);
    const made = edit
      ? { ...withEdit(taken, edit), lastStamp: edit.updatedAt }
      : withoutEdit(taken);
    return withLost(made, ground, row.edit, server);
  }
  if (!row.refused) return taken;
  const content = combined(ground, [row.refused], theirs);
  const base = server.updatedAt;
  const refused = content && { ...row.refused, ...content, base };
  return withLost({ ...taken, refused }, ground, row.refused, server);
};

/** Notes in a row which titles gave way when an edit was made again on the server's version. */
const withLost = (row: Row, ground: Version | null, edit: Made, server: Version): Row => {
  const [was, mine, theirs] = [ground?.payload ?? {}, edit.payload, server.payload];
  const lost = lostIn({ was, mine, theirs, merged: shownVersion(row)?.payload ?? {} });
  return Object.keys(lost).length === 0 ? row : { ...row, lost: { ...row.lost, ...lost } };
};

/**
 * Returns the edit made again on another version; null if that one has all of it. What it was made on and the server has
 * not is made again before it, for a later edit may take back what an earlier one did.
 */
const rebased = (
  ground: Version | null,
  edit: PendingEdit,
  server: Theirs,
  order: number,
): PendingEdit | null => {
  const changedAt = changesOf(edit);
  const content = combined(ground, chainOf(edit, ground), server);
  if (content === null) return null;
  const updatedAt = laterThan(server.updatedAt, edit.updatedAt);
  return {
    ...content,
    updatedAt,
    ...whenMade(edit),
    changedAt,
    order,
    seen: null,
    base: server.updatedAt,
    isSent: false,
    first: null,
    isResent: false,
  };
};

/** Returns an edit and those that it was made on, the earliest first, from what was made on `ground`. */
const chainOf = (edit: PendingEdit, ground: Version | null): readonly PendingEdit[] => {
  const { first } = edit;
  const isOnGround = first === null || first.updatedAt === ground?.updatedAt;
  return isOnGround ? [edit] : [...chainOf(first, ground), edit];
};

/**
 * Returns an edit that is adrift, with what the server's version has more in its lists. The one was not made on the other,
 * so what one of them lacks was not taken away, except by the edit. The fields are those of the later one, but for two kinds.
 * Of those that a later edit did not change, the server's count if a device has changed them since the version that was
 * edited: otherwise they may be the backup's. Those that an earlier edit changed stay, unless a device changed them later.
 */
const joined = ({ server }: Row, edit: PendingEdit, theirs: Theirs, order: number): PendingEdit => {
  const lists = Object.entries(edit.payload).flatMap(([name, mine]) => {
    if (!Array.isArray(mine)) return [];
    const kept = new Set(mine.map(nameOf));
    const was = server?.payload[name];
    const removed = Array.isArray(was) ? was.filter((item) => !kept.has(nameOf(item))) : [];
    return [[name, removed] as const];
  });
  const base = Object.fromEntries(lists);
  const merged = threeWay(base, edit.payload, theirs.payload, RULES);
  const newer = Object.keys(theirs.byDevices).filter(
    (name) =>
      server !== null &&
      Object.hasOwn(theirs.payload, name) &&
      deviceTime(theirs, name) > instantOf(server.updatedAt) &&
      sameJson(edit.payload[name], server.payload[name]),
  );
  const fields = Object.fromEntries(newer.map((name) => [name, theirs.payload[name]]));
  const { first: _first, ...rest } = edit;
  const isLast = isLater(edit, theirs);
  const own = Object.entries(changesOf(edit)).flatMap(([name, at]) =>
    instantOf(at) >= deviceTime(theirs, name) && Object.hasOwn(edit.payload, name)
      ? [[name, edit.payload[name]] as const]
      : [],
  );
  return {
    ...rest,
    deletedAt: isLast ? edit.deletedAt : theirs.deletedAt,
    payload: {
      ...(isLast
        ? { ...edit.payload, ...fields }
        : { ...theirs.payload, ...Object.fromEntries(own) }),
      ...onlyLists(withGroups(merged, [edit.payload, theirs.payload])),
    },
    updatedAt: laterThan(theirs.updatedAt, edit.updatedAt),
    madeAt: madeAtOf(edit),
    order,
    base: server?.updatedAt ?? edit.base,
    first: null,
    isSent: false,
    isResent: false,
    adrift: "combined",
  };
};

const RULES = { wins: () => true, keepsChanged: true };

const onlyLists = (payload: Payload): Payload =>
  Object.fromEntries(Object.entries(payload).filter(([, value]) => Array.isArray(value)));

const madeAtOf = ({ madeAt, updatedAt }: Made): string => madeAt ?? updatedAt;

/** Returns when each field was changed, also in the edits that this one was made on and that have to be sent first. */
export const changesOf = ({ changedAt, first }: PendingEdit): NonNullable<Made["changedAt"]> => ({
  ...(first && changesOf(first)),
  ...changedAt,
});

/** Returns when an edit and its fields were made, for one that takes its place with another `updatedAt`. */
export const whenMade = (edit: Made): Pick<Made, "changedAt" | "madeAt"> => ({
  madeAt: madeAtOf(edit),
  ...(edit.changedAt && { changedAt: edit.changedAt }),
});

const laterThan = (before: string, wanted: string): string => {
  const least = (parseInstant(before) ?? 0) + 1;
  return (parseInstant(wanted) ?? 0) >= least ? wanted : formatInstant(least);
};

type Content = Pick<Version, "deletedAt" | "payload">;

/** Returns what edits, each made on the one before, and the server's version make together; null if that is the server's version. */
const combined = (
  ground: Version | null,
  edits: readonly Made[],
  server: Theirs,
): Content | null => {
  let [base, made]: [Version | null, Content] = [ground, server];
  for (const edit of edits) {
    made = added(base, edit, { ...server, ...made });
    base = edit;
  }
  return isSame(made, server) ? null : made;
};

/** Returns a version with what an edit changed. */
const added = (ground: Version | null, edit: Made, theirs: Theirs): Content => {
  // Then there is nothing to make again.
  if (ground !== null && isSame(ground, edit)) return theirs;
  const deletedAt = mergedDeletion(ground, edit, theirs);
  const isForGood = deletedAt !== null && isEmptied(edit);
  return { payload: isForGood ? {} : mergedPayload(ground, edit, theirs), deletedAt };
};

/** Whether an edit was made after the last one of any other device. */
const isLater = (edit: Made, { devicesAt }: Theirs): boolean =>
  instantOf(madeAtOf(edit)) >= instantOf(devicesAt ?? "");

const isSame = (one: Content, other: Content): boolean =>
  (one.deletedAt === null) === (other.deletedAt === null) && sameJson(one.payload, other.payload);

const instantOf = (text: string): number => parseInstant(text) ?? 0;

/** When a device last changed a field, in ms; 0 if that is not known. */
const deviceTime = ({ byDevices }: Theirs, field: string): number =>
  instantOf(textField(byDevices, field) ?? "");

/** What both sides changed in different places of a text stays, if a person types it. */
const bothTexts: MergeRules["mergeText"] = (field, { was, winner, loser }, list) => {
  const kind = textKind(field, list);
  return kind && mergeText(was, winner, loser, kind).text;
};

/** What tasks, folders and columns are called; of the items of lists, notes, and the titles of tabs and groups. */
const textKind = (field: string, list: string | null): TextKind | null => {
  if (list === null) return field === "name" || field === "title" ? "title" : null;
  if (list === "notes" && field === "text") return "note";
  return (list === "groups" || list === "pages") && field === "title" ? "title" : null;
};

const mergedPayload = (ground: Version | null, edit: Made, server: Theirs): Payload => {
  const base = ground?.payload ?? {};
  const mine = isEmptied(edit) ? base : edit.payload;
  const theirs = isEmptied(server) ? base : server.payload;
  // Between devices, the later edit wins. Over what agents did meanwhile, the person's own edit does.
  const wins = (field: string): boolean =>
    instantOf(textField(edit.changedAt ?? {}, field) ?? madeAtOf(edit)) >=
    deviceTime(server, field);
  const rules = { wins, mergeText: bothTexts, keepsChanged: true };
  return withGroups(threeWay(base, mine, theirs, rules), [mine, theirs, base]);
};

/** Whether a deleted record was emptied, by time or by a person. Then nobody took its fields away one by one. */
const isEmptied = ({ payload, deletedAt }: Content): boolean =>
  deletedAt !== null && Object.keys(payload).length === 0;

/**
 * Whether the record is deleted: as the side says that changed that. But a later edit brings back what another device
 * deleted, and a deletion gives way to another device's later edit.
 */
const mergedDeletion = (ground: Version | null, edit: Made, server: Theirs): string | null => {
  const [was, mine, theirs] = [ground?.deletedAt ?? null, edit.deletedAt, server.deletedAt];
  if ((mine === null) === (theirs === null)) return theirs;
  const isLast = isLater(edit, server);
  const isMine = (mine === null) !== (was === null);
  if (theirs === null) return isMine && isLast ? mine : theirs;
  const isFromDevice =
    server.isDeletedByDevice ?? instantOf(theirs) <= instantOf(server.devicesAt ?? "");
  return isMine || (isFromDevice && isLast) ? mine : theirs;
};

/** A group stays as long as a tab is in it, even if one side took the group apart and the other put a tab there. */
const withGroups = (payload: Payload, sources: readonly Payload[]): Payload => {
  const known = new Set(itemsOf(payload, "groups").map((item) => textField(item, "id")));
  const used = new Set(itemsOf(payload, "pages").map((item) => textField(item, "group")));
  const missing = [...used].flatMap((id) => {
    if (id === null || known.has(id)) return [];
    const groups = sources.flatMap((source) => itemsOf(source, "groups"));
    return groups.find((group) => textField(group, "id") === id) ?? [];
  });
  return missing.length === 0
    ? payload
    : { ...payload, groups: [...itemsOf(payload, "groups"), ...missing] };
};

const itemsOf = (payload: Payload, list: "groups" | "pages"): readonly Payload[] => {
  const items = payload[list];
  return Array.isArray(items) ? items.filter(isObject) : [];
};

/** Returns the parts of a version alone. */
export const versionOf = ({ payload, updatedAt, deletedAt }: Version): Version => ({
  payload,
  updatedAt,
  deletedAt,
});
