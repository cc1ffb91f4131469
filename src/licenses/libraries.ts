import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A library that Bun links. `texts` are files in `bun/`. */
export type Library = {
  readonly name: string;
  readonly license: string;
  readonly texts: readonly string[];
  /** Its name in `process.versions`, if it has one there: a version, or a commit. */
  readonly key?: string;
};

const [LGPL_2, LGPL_2_1, APACHE] = ["lgpl-2", "lgpl-2.1", "apache-2.0"];

/** What Bun says that it links on Linux: https://github.com/oven-sh/bun/blob/main/LICENSE.md, and SQLite. */
export const LIBRARIES: readonly Library[] = [
  { name: "WebKit", license: "LGPL-2.0-or-later", texts: [LGPL_2, LGPL_2_1], key: "webkit" },
  { name: "boringssl", license: "Apache-2.0", texts: ["boringssl"], key: "boringssl" },
  { name: "brotli", license: "MIT", texts: ["brotli"] },
  { name: "c-ares", license: "MIT", texts: ["c-ares"], key: "ares" },
  { name: "highway", license: "Apache-2.0", texts: [APACHE] },
  { name: "icu", license: "Unicode-3.0", texts: ["icu"], key: "icu" },
  { name: "libarchive", license: "BSD-2-Clause", texts: ["libarchive"], key: "libarchive" },
  { name: "libbase64", license: "BSD-2-Clause", texts: ["libbase64"] },
  { name: "libc++abi", license: "Apache-2.0 WITH LLVM-exception", texts: [APACHE] },
  { name: "libdeflate", license: "MIT", texts: ["libdeflate"], key: "libdeflate" },
  { name: "libjpeg-turbo", license: "BSD-3-Clause AND IJG AND Zlib", texts: ["libjpeg-turbo"] },
  { name: "libspng", license: "BSD-2-Clause", texts: ["libspng"] },
  { name: "libwebp", license: "BSD-3-Clause", texts: ["libwebp"] },
  { name: "lol-html", license: "BSD-3-Clause", texts: ["lol-html"], key: "lolhtml" },
  { name: "ls-hpack", license: "MIT", texts: ["ls-hpack"], key: "lshpack" },
  { name: "ls-qpack", license: "MIT", texts: ["ls-qpack"] },
  { name: "lsquic", license: "MIT AND BSD-3-Clause", texts: ["lsquic"] },
  { name: "mimalloc", license: "MIT", texts: ["mimalloc"], key: "mimalloc" },
  { name: "picohttpparser", license: "MIT", texts: ["picohttpparser"], key: "picohttpparser" },
  { name: "simdutf", license: "MIT", texts: ["simdutf"] },
  { name: "sqlite", license: "blessing", texts: [], key: "sqlite" },
  { name: "tigerbeetle", license: "Apache-2.0", texts: [APACHE] },
  { name: "tinycc", license: "LGPL-2.1-only", texts: [LGPL_2_1], key: "tinycc" },
  { name: "uSockets", license: "Apache-2.0", texts: [APACHE], key: "usockets" },
  { name: "uWebSockets", license: "Apache-2.0", texts: [APACHE], key: "uwebsockets" },
  { name: "uucode", license: "MIT", texts: ["uucode"] },
  { name: "zlib-ng", license: "Zlib", texts: ["zlib-ng"], key: "zlib" },
  { name: "zstd", license: "BSD-3-Clause", texts: ["zstd"], key: "zstd" },
];

/** The version of a library in this Bun; undefined if Bun does not say. */
export const versionOf = ({ key }: Library): string | undefined =>
  key === undefined ? undefined : process.versions[key];

/** Returns what Bun and the LGPL ask for: who made what, the licences, and how to put other libraries in their place. */
export const libraryNotices = (): readonly string[] => {
  const names = LIBRARIES.map((one) => {
    const version = versionOf(one);
    return `  ${one.name}${version === undefined ? "" : ` ${version}`} (${one.license})`;
  });
  const texts = new Set(LIBRARIES.flatMap((one) => one.texts));
  return [
    `Its executable contains the runtime Bun ${Bun.version}, which is under the MIT licence and links these libraries:\n
${names.join("\n")}`,
    `WebKit, of which Bun contains JavaScriptCore, and tinycc are under the LGPL. You may change them and put your own
into the executable. Their source is at https://github.com/oven-sh/WebKit and https://github.com/oven-sh/tinycc, in the
commits named above. https://github.com/oven-sh/bun/blob/main/LICENSE.md says how to build Bun with yours. Then build
Docket from its source with that Bun: "bun run build". You may also take the executable apart to find faults in your
change.`,
    `Bun also contains versions of Node's modules for browsers, under the MIT licence. The same page lists them. SQLite is
in the public domain.`,
    ...[...texts].map(textOf),
  ];
};

const textOf = (file: string): string => {
  const names = LIBRARIES.filter(({ texts }) => texts.includes(file)).map(({ name }) => name);
  const text = readFileSync(join(import.meta.dir, "bun", `${file}.txt`), "utf8").trim();
  return `${"=".repeat(80)}\n${names.join(", ")}\n\n${text}`;
};
