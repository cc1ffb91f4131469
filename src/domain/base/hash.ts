/**
 * 64 bits of Wyhash over the text's UTF-8. Some are stored and compared years later, so the algorithm is named: what
 * `Bun.hash` alone means may change. It does not stop anyone who looks for two texts with the same hash.
 */
export const wyhash64 = (text: string, seed = 0): bigint => Bun.hash.wyhash(text, BigInt(seed));
