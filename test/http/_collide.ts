import { wyhash64 } from "../../src/domain/base/hash.ts";

const WORD = (1n << 64n) - 1n;
const SECRET = [0xa0761d6478bd642fn, 0xe7037ed1a0b428dbn] as const;

const mix = (a: bigint, b: bigint): bigint => ((a * b) & WORD) ^ ((a * b) >> 64n);
const stateOf = (seed: bigint): bigint => seed ^ mix(seed ^ SECRET[0], SECRET[1]);
const next = (state: bigint, block: Buffer): bigint =>
  mix(block.readBigUInt64LE(0) ^ SECRET[1], block.readBigUInt64LE(8) ^ state);

/**
 * Returns texts of 48 printable characters with one Wyhash. A second half of a block that equals the state before it
 * makes the next state 0, whatever the first half is.
 */
export const colliding = (start: string, count: number): readonly string[] => {
  for (let at = 0; ; at++) {
    const first = `${start}${at}`.padEnd(16, "-");
    const state = Buffer.alloc(8);
    state.writeBigUInt64LE(next(stateOf(0n), Buffer.from(first)));
    if (!/^[\w.~!$&'()*+,;=:@-]{8}$/.test(state.toString("latin1"))) continue;
    const middle = state.toString("latin1");
    const texts = Array.from(
      { length: count },
      (_, n) => `${first}${String(n).padStart(8, "0")}${middle}${"the-same-to-all-"}`,
    );
    if (new Set(texts.map((text) => wyhash64(text))).size === 1) return texts;
    throw new Error("Wyhash is not what this test expects.");
  }
};
