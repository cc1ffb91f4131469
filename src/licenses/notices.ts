import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { unpackText } from "../domain/base/packing.ts";
import { VERSION } from "../domain/base/release.ts";
import { libraryNotices } from "./libraries.ts";
import { type Package, shippedPackages } from "./packages.ts";

/** Where the compiled binary keeps the notices, relative to the code. */
export const PACKED_NOTICES = "packed/licenses.txt.br";

/** Returns the licences of everything in the executable: the packed text there; from source, made anew. */
export const readNotices = (): string => {
  const packed = join(import.meta.dir, PACKED_NOTICES);
  return existsSync(packed) ? unpackText(readFileSync(packed)) : noticesOf(shippedPackages());
};

/** Returns the licences of the executable and of these packages, from which it is built, as one text. */
export const noticesOf = (packages: readonly Package[]): string =>
  [
    `Docket ${VERSION} has the MIT licence.`,
    ...libraryNotices(),
    "=".repeat(80),
    "The executable, the web app and the extension are built from these packages. Of some they contain only a part, or nothing.",
    ...packages.map((one) => noticeOf(one, packages)),
  ].join("\n\n");

/** What the scripts of the extension are made from. A test compares this with what the bundler reads. */
const IN_EXTENSION = [
  "@preact/signals",
  "@preact/signals-core",
  "chrono-node",
  "fractional-indexing",
  "idb",
  "lucide-static",
  "preact",
];

/** Returns the licences of the extension and of the packages in it as one text. */
export const extensionNotices = (): string => {
  const packages = shippedPackages().filter(({ name }) => IN_EXTENSION.includes(name));
  return [
    `The Docket extension ${VERSION} has the MIT licence. It contains these packages:`,
    ...packages.map((one) => noticeOf(one, packages)),
    "",
  ].join("\n\n");
};

const noticeOf = (one: Package, packages: readonly Package[]): string =>
  [
    `${"=".repeat(80)}\n${one.name} ${one.version} (${one.license})`,
    ...(one.texts.length > 0 ? one.texts : standIn(one, packages)),
  ].join("\n\n");

/** Some packages name a licence and leave its text out. Another package of the same licence has it. */
const standIn = ({ license }: Package, packages: readonly Package[]): readonly string[] => {
  const other = packages.find((one) => one.license === license && one.texts.length > 0);
  return other === undefined
    ? []
    : [`The package has no licence file. This is ${license} as in ${other.name}:`, ...other.texts];
};
