import { inflateRawSync } from "node:zlib";

export type Entry = {
  readonly name: string;
  readonly data: Uint8Array;
  /** The entry's time as MS-DOS wrote it: time of day, then date. */
  readonly time: number;
};

/** Reads a zip by its directory, and checks each entry's length and checksum. */
export const unzip = (archive: Uint8Array): readonly Entry[] => {
  const bytes = Buffer.from(archive);
  const end = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  const count = bytes.readUInt16LE(end + 10);
  const entries: Entry[] = [];
  let at = bytes.readUInt32LE(end + 16);
  for (let index = 0; index < count; index += 1) {
    if (bytes.readUInt32LE(at) !== 0x02014b50) throw new Error("The directory is broken.");
    const [nameLength, more, comment] = [28, 30, 32].map((offset) =>
      bytes.readUInt16LE(at + offset),
    );
    const name = bytes.toString("ascii", at + 46, at + 46 + (nameLength ?? 0));
    entries.push({ name, data: dataOf(bytes, at), time: bytes.readUInt32LE(at + 12) });
    at += 46 + (nameLength ?? 0) + (more ?? 0) + (comment ?? 0);
  }
  return entries;
};

const dataOf = (bytes: Buffer, at: number): Uint8Array => {
  const [crc, size, whole] = [16, 20, 24].map((offset) => bytes.readUInt32LE(at + offset));
  const header = bytes.readUInt32LE(at + 42);
  const start = header + 30 + bytes.readUInt16LE(header + 26) + bytes.readUInt16LE(header + 28);
  const content = bytes.subarray(start, start + (size ?? 0));
  const data = bytes.readUInt16LE(at + 10) === 8 ? inflateRawSync(content) : content;
  if (data.length !== whole) throw new Error("An entry has another length.");
  if (Bun.hash.crc32(data) !== crc) throw new Error("An entry has another checksum.");
  return data;
};
