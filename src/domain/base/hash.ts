/**
 * 64 bits of Wyhash over the text's UTF-8. Some hashes are stored and compared years later, so the algorithm
 * is named: what plain `Bun.hash` computes may change. This is not a cryptographic hash: anyone who tries can
 * find two texts with the same hash.
 */
export const wyhash64 = (text: string, seed = 0): bigint => Bun.hash.wyhash(text, BigInt(seed));
