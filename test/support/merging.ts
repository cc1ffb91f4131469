import type { Payload } from "../../src/domain/base/payload.ts";
import { mergePush } from "../../src/domain/sync/merge.ts";
import type { ChildFinder } from "../../src/domain/tasks/filed.ts";
import { type Past, type PastStep, startPast } from "../../src/domain/sync/past.ts";
import { type Ack, NO_ACK } from "../../src/domain/sync/proof.ts";
import type { FiledChild } from "../../src/domain/tasks/child.ts";
import { changeOf } from "./changes.ts";

export const DELETED = "2026-03-04T12:00:00.000Z";

/** One version of a task, and how it came. By `sync` it is ann's laptop's or, if `mine`, that of her phone, which pushes. */
export type Version = {
  readonly payload: Payload;
  readonly deletedAt?: string;
  readonly via: "rest" | "sync";
  readonly mine?: true;
  /** Whether it was stored before the way was recorded. */
  readonly isOld?: true;
  /** Its `updated_at`, if that is not "version" and its index. */
  readonly updatedAt?: string;
  /** What the phone sent, if the server stored it in this form instead. */
  readonly sent?: Payload;
  /** What the phone sent next, and the server refused as stale. */
  readonly stale?: Payload;
  /** The `updated_at` of the version on which the phone made what it sent. */
  readonly base?: string;
};

export const rest = (payload: Payload, more: Partial<Version> = {}): Version => ({
  payload,
  via: "rest",
  ...more,
});
export const laptop = (payload: Payload, more: Partial<Version> = {}): Version => ({
  payload,
  via: "sync",
  ...more,
});
export const phone = (payload: Payload, more: Partial<Version> = {}): Version =>
  laptop(payload, { mine: true, ...more });

/** When a version came, in ms. It is also its stamp. */
const timeOf = (index: number): number => 1_000 * (index + 1);

const sessionOf = ({ via, mine }: Version): string | null =>
  via === "rest" ? null : mine ? "phone" : "laptop";

const nameOf = ({ updatedAt }: Version, index: number): string => updatedAt ?? `version ${index}`;

/** The steps from the newest version back, as a record's history tells them. */
const stepsOf = (versions: readonly Version[]): readonly PastStep[] =>
  versions
    .flatMap((version, index): readonly PastStep[] => {
      const { via, mine, sent, stale, base = null, deletedAt, isOld } = version;
      const before = versions[index - 1];
      if (!before) return [];
      const at = { stamp: timeOf(index) };
      const by = {
        byKind: via === "rest" ? "api_key" : "session",
        byId: mine ? "phone" : "laptop",
      } as const;
      const past = {
        deletedAt: before.deletedAt ?? null,
        updatedAt: nameOf(before, index - 1),
        sessionId: sessionOf(before),
      };
      const replaced: PastStep = {
        ...at,
        ...by,
        via: isOld ? null : via,
        loss: "edited",
        refused: false,
        base: null,
        before: { payload: before.payload, ...past },
      };
      const raw = {
        payload: stale ?? sent ?? {},
        deletedAt: deletedAt ?? null,
        updatedAt: `sent ${index}`,
        sessionId: "phone",
      };
      const refused = { ...at, byKind: "session", byId: "phone", via, refused: true } as const;
      const loss = stale ? "stale" : "merged";
      return sent || stale ? [replaced, { ...refused, loss, base, before: raw }] : [replaced];
    })
    .toReversed();

/** The phone's push. */
export type Pushed = {
  readonly payload: Payload;
  readonly deletedAt?: string;
  /** Up to which version the phone has pulled; null for none that it has acknowledged. */
  readonly knows: number | null;
  /** The `updated_at` that it names: `version N` or `sent N`. */
  readonly base?: string;
  /** Its own stamp; usually one of its own. */
  readonly updatedAt?: string;
  /** When the edit was made by the phone's clock, in ms. */
  readonly updated?: number;
};

const ackOf = (knows: number | null): Ack =>
  knows === null
    ? NO_ACK
    : {
        ...NO_ACK,
        since: timeOf(knows) + 1,
        deliveries: Array.from({ length: knows + 1 }, (_, index) => {
          return { time: timeOf(index) + 1, at: timeOf(index) + 1 };
        }),
      };

/** What the phone held, and what was done over REST since. */
const pastOf = (
  versions: readonly Version[],
  { knows, base, updated, updatedAt = "the push" }: Pushed,
  restored: number | null = null,
): Past => {
  const last = versions.length - 1;
  const now = timeOf(versions.length + 1);
  const current = versions[last] as Version;
  const reading = startPast(
    {
      payload: current.payload,
      deletedAt: current.deletedAt ?? null,
      updatedAt: nameOf(current, last),
      sessionId: sessionOf(current),
    },
    { sessionId: "phone", ack: ackOf(knows), restored },
    {
      updated: updated ?? now,
      now,
      updatedAt,
      base: base ?? null,
      baseStamp: null,
      isFromMemory: true,
      createdAt: timeOf(0),
      historySince: 0,
      clampedAs: null,
    },
  );
  stepsOf(versions).some(reading.add);
  return reading.end();
};

const nobody: ChildFinder = () => [];

/** The task after the phone's push. */
export const push = (
  versions: readonly Version[],
  pushed: Pushed,
  filed: readonly FiledChild[] = [],
) => {
  const current = versions.at(-1) as Version;
  return mergePush(
    { payload: current.payload, deletedAt: current.deletedAt ?? null, filed },
    changeOf(0, pushed.payload, pushed.deletedAt ?? null),
    { past: pastOf(versions, pushed), isLate: false, findMovedChildren: nobody },
  );
};

export const tab = (name: string) => ({ id: name, url: `https://${name}.example/` });
export const withoutId = (name: string) => ({ url: `https://${name}.example/` });

/** A tab that the bot filed, at an index. */
export const bots = (id: string, at: number | null, more: object = {}): FiledChild => ({
  list: "pages",
  id,
  key: "bot",
  createdAt: DELETED,
  at,
  ...more,
});
