/** Shows people how far a run is. */
export type Progress = {
  /** Shows what is being done, and how much of it is done (0 to 1). */
  readonly step: (what: string, share: number) => void;
  /** A line that stays. */
  readonly line: (text: string) => void;
};

/** Where progress is shown. */
type Terminal = { readonly isTTY?: boolean; readonly write: (text: string) => unknown };

const WIDTH = 24;
/** Time between two lines in ms when there is no terminal. */
const PATIENCE = 10_000;

/**
 * Shows a bar on a terminal. Elsewhere it writes plain lines: one for each new step and then one
 * every ten seconds.
 */
export const startProgress = (stream: Terminal, steady: () => number): Progress => {
  const isTerminal = stream.isTTY === true;
  let last = { what: "", at: Number.NEGATIVE_INFINITY };
  const plain = (what: string): void => {
    const same = what.split(":")[0] === last.what.split(":")[0];
    if (same && steady() - last.at < PATIENCE) return;
    last = { what, at: steady() };
    stream.write(`${what}\n`);
  };
  return {
    step: (what, share) =>
      isTerminal ? stream.write(`\r${bar(share)} ${what}\u001B[K`) : plain(what),
    line: (text) => void stream.write(isTerminal ? `\r\u001B[K${text}\n` : `${text}\n`),
  };
};

export const bar = (share: number): string => {
  const full = Math.round(Math.min(Math.max(share, 0), 1) * WIDTH);
  return `[${"#".repeat(full)}${".".repeat(WIDTH - full)}]`;
};
