import { deflateRawSync } from "node:zlib";

export type ZipFile = { readonly name: string; readonly data: Uint8Array };

/**
 * Returns a zip archive of files (APPNOTE.TXT of PKWARE, 4.3). The same files give the same bytes: they are sorted by
 * name, and their times are all 1 January 1980. Names must be ASCII.
 */
export const zip = (files: readonly ZipFile[]): Uint8Array<ArrayBuffer> => {
  const sorted = files.toSorted((a, b) => (a.name < b.name ? -1 : 1)).map(packed);
  let offset = 0;
  const directory = sorted.map(({ file, central }) => {
    const entry = central(offset);
    offset += file.length;
    return entry;
  });
  const size = directory.reduce((sum, entry) => sum + entry.length, 0);
  const all = [...sorted.map(({ file }) => file), ...directory, end(sorted.length, size, offset)];
  return new Uint8Array(Buffer.concat(all));
};

type Packed = {
  /** The file's header and content. */
  readonly file: Buffer;
  /** Returns its entry in the directory, given where the file begins. */
  readonly central: (offset: number) => Buffer;
};

const packed = ({ name, data }: ZipFile): Packed => {
  const deflated = deflateRawSync(data, { level: 9 });
  const isSmaller = deflated.length < data.length;
  const content = isSmaller ? deflated : data;
  const named = Buffer.from(name, "ascii");
  const about = common(isSmaller, Bun.hash.crc32(data), content.length, data.length, named.length);
  return {
    file: Buffer.concat([numbers([4, 0x04034b50]), about, named, content]),
    central: (offset) =>
      Buffer.concat([
        numbers([4, 0x02014b50], [2, VERSION]),
        about,
        // No comment, disk 0, no attributes.
        numbers([2, 0], [2, 0], [2, 0], [4, 0], [4, offset]),
        named,
      ]),
  };
};

const VERSION = 20;
const DEFLATED = 8;
const STORED = 0;
/** 1 January 1980, as MS-DOS wrote it. */
const DATE = 0x21;

/** What a file's header and its entry in the directory share. */
const common = (
  isDeflated: boolean,
  crc: number,
  size: number,
  wholeSize: number,
  nameLength: number,
): Buffer =>
  numbers(
    [2, VERSION],
    [2, 0],
    [2, isDeflated ? DEFLATED : STORED],
    [2, 0],
    [2, DATE],
    [4, crc],
    [4, size],
    [4, wholeSize],
    [2, nameLength],
    [2, 0],
  );

const end = (count: number, size: number, offset: number): Buffer =>
  numbers([4, 0x06054b50], [2, 0], [2, 0], [2, count], [2, count], [4, size], [4, offset], [2, 0]);

/** Writes numbers one after the other, each with its length in bytes, the lowest byte first. */
const numbers = (...parts: readonly (readonly [bytes: 2 | 4, value: number])[]): Buffer =>
  Buffer.concat(
    parts.map(([bytes, value]) => {
      const part = Buffer.alloc(bytes);
      part.writeUIntLE(value, 0, bytes);
      return part;
    }),
  );
