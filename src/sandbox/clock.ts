import {
  type Clock,
  DAY,
  formatInstant,
  HOUR,
  type Instant,
  isInstant,
  MINUTE,
  parseInstant,
  SECOND,
} from "../domain/base/instant.ts";
import { invalid, Refusal } from "../domain/base/refusal.ts";
import { checkHost } from "../server/checks/request.ts";

/** A clock that a person can set. It starts as the real one and runs like it. */
export type SandboxClock = Clock & {
  /** Sets the time of day. Rate limits do not notice, as when the clock of a real machine is corrected. */
  readonly set: (now: Instant) => void;
  /** Lets `ms` pass at once, for everything that measures time. */
  readonly advance: (ms: number) => void;
  readonly stop: () => void;
  readonly run: () => void;
  readonly isStopped: () => boolean;
};

export const startSandboxClock = (real: Clock): SandboxClock => {
  let [wall, since] = [real.wall(), real.steady()];
  // In whole milliseconds while it is stopped, so that `advance: 59s` leaves exactly one second of a minute.
  let steady = Math.floor(since);
  let isStopped = false;
  const passed = (): number => (isStopped ? 0 : real.steady() - since);
  /** Counts what has passed so far, and starts to measure anew. */
  const settle = (): void => {
    const whole = Math.floor(passed());
    wall += whole;
    steady += whole;
    since = isStopped ? real.steady() : since + whole;
  };
  return {
    wall: () => wall + Math.floor(passed()),
    steady: () => steady + passed(),
    set: (now) => {
      settle();
      wall = now;
    },
    advance: (ms) => {
      settle();
      wall += ms;
      steady += ms;
    },
    stop: () => {
      settle();
      isStopped = true;
    },
    run: () => {
      settle();
      isStopped = false;
    },
    isStopped: () => isStopped,
  };
};

export const CLOCK_PATH = "/sandbox/clock";

/** The clock as the route shows it. */
type ShownClock = { readonly now: string; readonly stopped: boolean };

/**
 * Answers `GET` and `POST /sandbox/clock`. A web page of another site cannot set the clock: it cannot send JSON here
 * without asking first, and this path permits no other origin. Throws a `Refusal` for anything it does not understand.
 */
export const answerClock = async (clock: SandboxClock, request: Request): Promise<ShownClock> => {
  checkHost(request.headers, new Set());
  if (request.method === "POST") change(clock, await bodyOf(request));
  return { now: formatInstant(clock.wall()), stopped: clock.isStopped() };
};

type Change = { readonly now?: unknown; readonly advance?: unknown; readonly stopped?: unknown };

const FIELDS = ["now", "advance", "stopped"];

const bodyOf = async (request: Request): Promise<Change> => {
  if (!/^application\/json\b/i.test(request.headers.get("content-type") ?? ""))
    throw new Refusal("unsupported_type", "Send JSON, with Content-Type: application/json.");
  const body: unknown = await request.json().catch(() => {
    throw new Refusal("malformed", "The body is not JSON.");
  });
  const names = typeof body === "object" && body !== null ? Object.keys(body) : [];
  if (names.length > 0 && names.every((name) => FIELDS.includes(name))) return body as Change;
  throw invalid(`Send an object with one or more of these fields: ${FIELDS.join(", ")}.`);
};

/** Everything is checked before anything is changed. */
const change = (clock: SandboxClock, { now, advance, stopped }: Change): void => {
  const time = typeof now === "string" ? parseInstant(now) : null;
  if (now !== undefined && time === null)
    throw invalid("now must be an RFC 3339 time, such as 2026-01-31T09:30:00.000Z.");
  const ms = advance === undefined ? 0 : lengthOf(advance);
  if (ms === null || !isInstant((time ?? clock.wall()) + ms))
    throw invalid("advance must be a length of time, such as 30s, 15m, 12h or 90d.");
  if (stopped !== undefined && typeof stopped !== "boolean")
    throw invalid("stopped must be true or false.");
  // Stopped before it is set: it must show exactly that time, and no millisecond that passed in between.
  if (stopped === true) clock.stop();
  if (time !== null) clock.set(time);
  if (stopped === false) clock.run();
  clock.advance(ms);
};

const UNITS: Readonly<Record<string, number>> = { s: SECOND, m: MINUTE, h: HOUR, d: DAY };

/** Reads `30s`, `15m`, `12h` or `90d`, in milliseconds. Null for anything else. */
const lengthOf = (value: unknown): number | null => {
  const [, count, unit = ""] = /^(\d{1,6})([smhd])$/.exec(String(value)) ?? [];
  return count === undefined ? null : Number(count) * (UNITS[unit] ?? 0);
};
