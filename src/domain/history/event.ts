import type { ActorKind } from "../people/account.ts";
import { DAY, HOUR, type Instant, MINUTE, parseInstant } from "../base/instant.ts";
import type { Loss, RecordRow } from "../records/row.ts";
import { deserialise } from "../base/payload.ts";
import type { RecordState } from "../base/record.ts";
import { applyDifference, type Difference, type VersionRow } from "./version.ts";

/** A change to a record, as its history shows it. */
export type HistoryEvent = {
  readonly at: Instant;
  readonly loss: Loss;
  /** Whether a device sent this version and it was not stored as sent. */
  readonly refused: boolean;
  /** The stamp of the version that is not current, as its writer sent it (ISO text), and who wrote it. */
  readonly updatedAt: string;
  readonly writerKind: ActorKind | null;
  readonly writerId: string | null;
  readonly byKind: ActorKind | null;
  readonly byId: string | null;
};

/**
 * Who made a change. `name` was chosen by another person or program and follows `words`. Both make sense
 * without it.
 */
export type Who = { readonly words: string; readonly name: string };

/** A sentence with a name in its middle that another person or program chose. */
export type Sentence = readonly [before: string, name: string, after: string];

/** Names of API keys and devices, by id. */
export type Names = ReadonlyMap<string, string>;

/** Returns words for an API key, a device, or the person on the server's own pages. */
export const whoIs = (kind: ActorKind | null, id: string | null, names: Names): Who => {
  const name = names.get(id ?? "") ?? "";
  switch (kind) {
    case "api_key":
      return name ? { words: "the key ", name } : unknown("a key that no longer exists");
    case "session":
      return name ? { words: "", name } : unknown("a device that no longer exists");
    case "person":
      return unknown("you");
    case null:
      return unknown("someone unknown");
  }
};

const unknown = (words: string): Who => ({ words, name: "" });

/** Who made the change; for a refused version, who sent it. */
export const doerOf = (event: HistoryEvent, names: Names): Who =>
  event.refused
    ? whoIs(event.writerKind, event.writerId, names)
    : whoIs(event.byKind, event.byId, names);

/** Says in plain words what happened. */
export const tell = (event: HistoryEvent, names: Names): Sentence => {
  const { words, name } = doerOf(event, names);
  const [before, after] = wordsFor(event);
  return [`${before} ${words}`, name, after];
};

const wordsFor = (event: HistoryEvent): readonly [before: string, after: string] => {
  const onDevice = event.byKind === "session";
  switch (event.loss) {
    case "made":
      return ["Created by", ""];
    case "edited":
      return [onDevice ? "Edited on" : "Changed by", ""];
    case "deleted":
      return ["Deleted on", ""];
    case "merged":
      if (event.refused) return ["Sent from", ", after it had been deleted"];
      return [`Merged with an earlier edit ${onDevice ? "made on" : "by"}`, ""];
    case "restored":
      return ["Restored by", ""];
    case "undone":
      return ["Undone by", ""];
    case "stale":
      return ["Sent from", ", but not applied because it was older than the current version"];
    case "clamped":
      return ["Sent from", `, whose clock was ${ahead(event)} ahead`];
  }
};

const YEAR = 365.25 * DAY;

/** Roughly how far a device's clock is ahead, such as "3 days". */
const ahead = ({ updatedAt, at }: HistoryEvent): string => {
  const by = (parseInstant(updatedAt) ?? at) - at;
  if (by >= 2 * YEAR) return `${Math.round(by / YEAR)} years`;
  if (by >= 2 * DAY) return `${Math.round(by / DAY)} days`;
  if (by >= 2 * HOUR) return `${Math.round(by / HOUR)} hours`;
  return `${Math.max(1, Math.round(by / MINUTE))} minutes`;
};

/**
 * One change to a record. For a replaced version: the record before it (null if it did not exist) and after
 * it. For a refused version: what was sent, and what the record was and still is.
 */
export type Step = {
  readonly version: VersionRow;
  readonly refused: boolean;
  readonly before: RecordState | null;
  readonly after: RecordState | null;
  /** Of several edits that are shown as one: when the first of them was made, in ms. */
  readonly since?: Instant;
};

/**
 * Returns a function that walks back through a record's history from its current state. Call it with each
 * version, newest first.
 */
export const backFrom = (row: RecordRow): ((version: VersionRow) => Step) => {
  let current: RecordState | null = {
    payload: deserialise(row.payload),
    deletedAt: row.deletedAt,
  };
  return (version) => {
    const step = stepBack(version, current);
    if (!step.refused) current = step.before;
    return step;
  };
};

const stepBack = (version: VersionRow, current: RecordState | null): Step => {
  const refused = version.digest !== null;
  if (version.difference === null || current === null)
    return { version, refused, before: null, after: current };
  const payload = applyDifference(current.payload, JSON.parse(version.difference) as Difference);
  return { version, refused, before: { payload, deletedAt: version.deletedAt }, after: current };
};
