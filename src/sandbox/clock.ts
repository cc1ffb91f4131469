import type { Clock, Instant } from "../domain/base/instant.ts";

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
