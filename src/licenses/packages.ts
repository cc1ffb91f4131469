import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A package that goes into the executable, as `bun.lock` and its own files describe it. */
export type Package = {
  readonly name: string;
  readonly version: string;
  /** The SPDX expression that its `package.json` gives. */
  readonly license: string;
  /** The digest by which Bun checked what it downloaded: `sha512-` and base64. */
  readonly integrity: string;
  /** Its licence files and notices, as they are. */
  readonly texts: readonly string[];
  /** The names and versions of the packages that it asks for. */
  readonly needs: readonly string[];
};

type Locked = readonly [
  resolved: string,
  registry: string,
  more: { readonly dependencies?: Readonly<Record<string, string>> },
  integrity: string,
];

type Lock = {
  readonly workspaces: Readonly<
    Record<string, { readonly dependencies?: Readonly<Record<string, string>> }>
  >;
  readonly packages: Readonly<Record<string, Locked>>;
};

/** Beside `src`. Only a checkout has them: the executable holds what is made from them. */
const ROOT = join(import.meta.dir, "../..");

/** Returns the packages that Docket depends on, and those that they depend on, by name. */
export const shippedPackages = (): readonly Package[] => {
  const lock = readLock();
  const places = new Set<string>();
  const visit = (from: string, needed: Readonly<Record<string, string>> = {}): void => {
    for (const name of Object.keys(needed)) {
      const place = placeOf(lock, from, name);
      if (place === null || places.has(place)) continue;
      places.add(place);
      visit(place, lock.packages[place]?.[2].dependencies);
    }
  };
  visit("", lock.workspaces[""]?.dependencies);
  // One version can be in several folders.
  const found = [...places].map((place) => packageAt(lock, place));
  const byName = new Map(found.map((one) => [`${one.name} ${one.version}`, one]));
  return [...byName].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
};

/** The lock file is JSON, except for commas before closing brackets. */
const readLock = (): Lock =>
  JSON.parse(readFileSync(join(ROOT, "bun.lock"), "utf8").replaceAll(/,(?=\s*[\]}])/g, "")) as Lock;

/** Where `name` is for a package at `from`: in its own folder, in one around it, or at the top. Null if nowhere. */
const placeOf = ({ packages }: Lock, from: string, name: string): string | null => {
  for (let around = namesIn(from); ; around = around.slice(0, -1)) {
    const place = [...around, name].join("/");
    if (packages[place]) return place;
    if (around.length === 0) return null;
  }
};

/** `a/@b/c` is package `@b/c` in the folder of package `a`. */
const namesIn = (place: string): readonly string[] => place.match(/@[^/]+\/[^/]+|[^/]+/g) ?? [];

const packageAt = (lock: Lock, place: string): Package => {
  const [resolved, , more, integrity] = lock.packages[place] as Locked;
  const at = resolved.lastIndexOf("@");
  const folder = join(ROOT, "node_modules", namesIn(place).join("/node_modules/"));
  const { license = "" } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    license?: string;
  };
  return {
    name: resolved.slice(0, at),
    version: resolved.slice(at + 1),
    license,
    integrity,
    texts: readdirSync(folder)
      .filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
      .toSorted()
      .map((file) => readFileSync(join(folder, file), "utf8").trim()),
    needs: Object.keys(more.dependencies ?? {}).flatMap((name) => {
      const found = placeOf(lock, place, name);
      return found === null ? [] : [lock.packages[found]?.[0] ?? ""];
    }),
  };
};
