import { wyhash64 } from "../../../src/domain/base/hash.ts";

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

const RAPID = [0x2d358dccaa6c78a5n, 0x8bb84b93962eacc9n] as const;

/**
 * Returns texts of 32 characters with one rapidhash, by which JavaScriptCore keeps names in tables. Their second eight
 * make the hash forget the first eight.
 */
export const namesWithOneHash = (count: number): readonly string[] => {
  const forget = Buffer.alloc(8);
  forget.writeBigUInt64LE(mix(...RAPID) ^ 32n ^ RAPID[1]);
  const middle = forget.toString("latin1");
  return Array.from(
    { length: count },
    (_, n) => `${String(n).padStart(8, "n")}${middle}the same to all.`,
  );
};
