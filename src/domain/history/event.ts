import type { ActorKind } from "../people/caller.ts";
import { DAY, HOUR, type Instant, MINUTE, parseInstant } from "../base/instant.ts";
import type { Loss } from "../records/row.ts";

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
