import { tokenTimes } from "../../db/calls/activity.ts";
import type { Caller } from "../../domain/people/caller.ts";
import type { Store } from "../../db/store.ts";
import { type Clock, HOUR, wholeSeconds } from "../../domain/base/instant.ts";
import { Refusal } from "../../domain/base/refusal.ts";
import {
  type Allowance,
  type Buckets,
  fillBuckets,
  isFull,
  type Limits,
  type Quotas,
  readQuotas,
  takeToken,
} from "../../domain/calls/limiter.ts";
import type { Call } from "../call.ts";

export type Limiter = {
  readonly limits: Limits;
  /** Takes one of the key's tokens, if any is left. */
  readonly take: (keyId: string) => Allowance;
  /** Returns what the key has left, without taking a token. */
  readonly peek: (keyId: string) => Quotas;
  /** Frees the memory of keys that have all their tokens back. */
  readonly sweep: () => void;
};

/** Takes one of the API key's tokens. Refuses the call if none is left (429). Sessions have no limit. */
export const countCall = (limiter: Limiter, call: Call, caller: Caller): void => {
  if (caller.kind !== "api_key") return;
  const allowance = limiter.take(caller.id);
  call.quotas = allowance;
  call.tookToken = allowance.admitted;
  if (allowance.admitted) return;
  const seconds = wholeSeconds(allowance.retryIn);
  const { perMinute, perHour } = limiter.limits;
  throw new Refusal(
    "too_many",
    `This key may make ${perMinute} requests a minute and ${perHour} an hour. Try again in ${seconds} s.`,
    { "retry-after": String(seconds) },
  );
};

/** The number of keys in memory at which a sweep starts. */
const SWEEP_AT = 1_000;

/**
 * Keeps each API key's tokens in memory. A key that is not in memory is restored from its activity, so that a restart
 * gives nobody new tokens. Times are on the steady clock, so that setting the wall clock changes nothing.
 */
export const startLimiter = (store: Store, limits: Limits, clock: Clock): Limiter => {
  const known = new Map<string, Buckets>();

  const refill = (keyId: string): Buckets => {
    const times = tokenTimes(store, keyId, Math.max(limits.perMinute, limits.perHour));
    const ages = times.map((time) => Math.min(Math.max(clock.wall() - time, 0), HOUR));
    const buckets = fillBuckets(
      limits,
      ages.map((age) => clock.steady() - age),
    );
    known.set(keyId, buckets);
    return buckets;
  };

  /** If reading the activity fails, the next call tries again. */
  const bucketsOf = (keyId: string): Buckets => known.get(keyId) ?? refill(keyId);

  const sweep = (): void => {
    if (known.size < SWEEP_AT) return;
    for (const [keyId, buckets] of known) if (isFull(buckets, clock.steady())) known.delete(keyId);
  };

  return {
    limits,
    // Nothing is awaited between looking and taking, so parallel calls cannot exceed the limit.
    take: (keyId) => takeToken(limits, bucketsOf(keyId), clock.steady()),
    peek: (keyId) => readQuotas(limits, bucketsOf(keyId), clock.steady()),
    sweep,
  };
};
