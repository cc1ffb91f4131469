import { Refusal } from "../../domain/base/refusal.ts";

/** The memory for the bodies of all requests in progress, together. */
export type BodyMemory = {
  /** Starts to count a body of this sender. */
  readonly hold: (sender: Sender) => HeldBody;
};

/** Whose share a body takes: an account's, or, of a caller without one, that of the network that it comes from. */
export type Sender = { readonly accountId: number } | { readonly network: string };

/** One request's share. */
export type HeldBody = {
  /** Refuses (503) a body of that many bytes if there is no room for it now. Counts nothing yet. */
  readonly expect: (bytes: number) => void;
  /** Counts bytes that have arrived. Refuses (503) what there is no room for. */
  readonly add: (bytes: number) => void;
  /** Gives everything back. Harmless if called again. */
  readonly release: () => void;
};

/**
 * Bounds what all bodies take to `limit` bytes. Those of one account have half of that, those of all strangers together
 * have half, and those from one network an eighth, so that one caller with unfinished bodies does not turn the others
 * away. Bytes of a long body or a stranger's count once they have arrived: an announced length alone takes no memory.
 */
export const startBodyMemory = (limit: number): BodyMemory => {
  let used = 0;
  const usedBy = new Map<number | string, number>();
  return {
    hold: (sender) => {
      const shares = sharesOf(sender, limit);
      let held = 0;
      const expect = (bytes: number): void => {
        const rooms = shares.map(([name, most]) => most - (usedBy.get(name) ?? 0));
        if (bytes > Math.min(limit - used, ...rooms)) throw tooBusy();
      };
      const count = (bytes: number): void => {
        used += bytes;
        held += bytes;
        for (const [name] of shares) {
          const taken = (usedBy.get(name) ?? 0) + bytes;
          if (taken === 0) usedBy.delete(name);
          else usedBy.set(name, taken);
        }
      };
      return {
        expect,
        add: (bytes) => {
          expect(bytes);
          count(bytes);
        },
        release: () => count(-held),
      };
    },
  };
};

/** By name, the most bytes that all bodies of that name may take together. No network is called `""`. */
const sharesOf = (
  sender: Sender,
  limit: number,
): readonly (readonly [number | string, number])[] =>
  "accountId" in sender
    ? [[sender.accountId, Math.floor(limit / 2)]]
    : [
        ["", Math.floor(limit / 2)],
        [`from ${sender.network}`, Math.floor(limit / 8)],
      ];

const tooBusy = (): Refusal =>
  new Refusal(
    "unavailable",
    "The server is receiving too much at once. Nothing was changed. Try again in a few seconds.",
    { "retry-after": "2" },
  );
