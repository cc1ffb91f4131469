export type Cbor = readonly Cbor[] | Map<number | string, Cbor> | Uint8Array | number | string;

/** The part of CBOR (RFC 8949) that devices write. */
export const cbor = (value: Cbor): Uint8Array => {
  if (typeof value === "number") return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === "string") return Buffer.concat([head(3, value.length), Buffer.from(value)]);
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value]);
  if (!(value instanceof Map)) return Buffer.concat([head(4, value.length), ...value.map(cbor)]);
  const pairs = [...value].flatMap(([key, item]) => [cbor(key), cbor(item)]);
  return Buffer.concat([head(5, value.size), ...pairs]);
};

const head = (major: number, size: number): Uint8Array => {
  if (size < 24) return Buffer.from([(major << 5) | size]);
  return size < 256
    ? Buffer.from([(major << 5) | 24, size])
    : Buffer.from([(major << 5) | 25, size >> 8, size & 0xff]);
};
