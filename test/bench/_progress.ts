/** Tells whoever waits how far a run is. */
export type Progress = {
  /** What is being done, and how much of it is done (0 to 1). */
  readonly step: (what: string, share: number) => void;
  /** A line that stays. */
  readonly line: (text: string) => void;
};

/** Where it is told. */
type Terminal = { readonly isTTY?: boolean; readonly write: (text: string) => unknown };

const WIDTH = 24;
/** ms between two lines where there is no terminal. */
const PATIENCE = 10_000;

/** A bar on a terminal; elsewhere plain lines, one for each new thing and then one every ten seconds. */
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
