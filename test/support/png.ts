import { deflateSync } from "node:zlib";

const chunk = (name: string, data: Uint8Array): Buffer => {
  const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(Bun.hash.crc32(body));
  return Buffer.concat([length, body, sum]);
};

/** Returns a PNG of one colour, as base64; with `spare`, some bytes longer. */
export const png = (side: number, [red, green, blue]: readonly number[], spare = 0): string => {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(side, 0);
  head.writeUInt32BE(side, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const line = [0, ...Array.from({ length: side }, () => [red ?? 0, green ?? 0, blue ?? 0]).flat()];
  const lines = Buffer.from(Array.from({ length: side }, () => line).flat());
  return Buffer.concat([
    Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]),
    chunk("IHDR", head),
    ...(spare > 0 ? [chunk("teXt", Buffer.alloc(spare))] : []),
    chunk("IDAT", deflateSync(lines)),
    chunk("IEND", Buffer.alloc(0)),
  ]).toString("base64");
};
