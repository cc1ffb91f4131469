import { type Instant, parseInstant } from "../base/instant.ts";
import { canonical, differingFields, type Payload } from "../base/payload.ts";
import type { Change } from "./change.ts";
import type { FieldTimes } from "../records/row.ts";
import type { PastVersion } from "./ground.ts";
import type { PastStep } from "./past.ts";

/** What was done to a record since the version that a device expects: what it takes to make its edit again. */
export type Overtaken = {
  /** Whether the change was stored before, as it was sent or with another stamp. */
  readonly wasStored: boolean;
  /**
   * The fields that devices have changed since, and when: as the device said, or else the stamp of the version in which the
   * field got its present value.
   */
  readonly byDevices: ReadonlyMap<string, Instant>;
  /** Whether a device deleted the record since, and not the API; null if neither did. */
  readonly isDeletedByDevice: boolean | null;
};

/** Reads what was done since, one step of the record's past at a time. */
export type OvertakenReading = {
  /** Takes the next step, newest first. Returns whether enough is known. */
  readonly add: (step: PastStep) => boolean;
  readonly end: () => Overtaken;
};

/** More changes than this are not read. */
const MOST_CHANGES = 500;

/**
 * Starts at a record's current version, of which `now` has the content and the stamp. `times` are what devices said of
 * single fields.
 */
export const startOvertaken = (
  now: PastVersion,
  change: Change,
  times: FieldTimes,
): OvertakenReading => {
  const content = canonical(change.payload);
  const byDevices = new Map<string, Instant>();
  let wasStored = false;
  let isDeletedByDevice: boolean | null = null;
  let current = now;
  let left = MOST_CHANGES;
  let isKnown = instantOf(now.updatedAt) <= (change.expected ?? 0);
  const timeOf = (field: string, stamp: Instant): Instant => {
    const said = times.get(field);
    return said?.version === stamp ? said.at : stamp;
  };
  /** Notes what a device changed in the version before the current one. */
  const note = (before: Payload): void => {
    if (isEmptied(current)) return;
    const stamp = instantOf(current.updatedAt);
    for (const field of differingFields(before, current.payload))
      if (!byDevices.has(field)) byDevices.set(field, timeOf(field, stamp));
  };
  const isChange = ({ before, loss }: PastStep): boolean =>
    before !== null &&
    loss !== "stale" &&
    before.updatedAt === change.updatedAt &&
    (before.deletedAt === null) === (change.deletedAt === null) &&
    canonical(before.payload) === content;
  return {
    add: (step) => {
      wasStored ||= isChange(step);
      left -= 1;
      const { before, refused, via } = step;
      if (refused || before === null) return wasStored || left === 0;
      if (via === "sync" && !isEmptied(before)) note(before.payload);
      if (current.deletedAt !== null && before.deletedAt === null)
        isDeletedByDevice ??= via === "sync";
      current = before;
      isKnown = instantOf(before.updatedAt) <= (change.expected ?? 0);
      return wasStored || left === 0 || isKnown;
    },
    end: () => {
      // A device made the record since: after a restore, for the backup does not have it.
      if (!wasStored && left > 0 && !isKnown && current.sessionId !== null) note({});
      return { wasStored, byDevices, isDeletedByDevice };
    },
  };
};

/** A deleted record loses its content after some time. Nobody changed its fields by that. */
const isEmptied = ({ deletedAt, payload }: Pick<PastVersion, "deletedAt" | "payload">): boolean =>
  deletedAt !== null && Object.keys(payload).length === 0;

const instantOf = (text: string): Instant => parseInstant(text) ?? 0;
