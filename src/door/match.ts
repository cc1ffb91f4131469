import { type Place, placeName } from "./place.ts";

/** What stands at a path: its name (see `placeName`), its places by method, and the id in it. */
export type Match = {
  readonly name: string;
  readonly methods: ReadonlySet<string>;
  readonly id: string | null;
};

export type Matcher = (path: string) => Match | null;

/**
 * Finds what is at a path, whatever the method: the router knows only whole matches, and 405 needs
 * to know that another method is there. A parameter is one segment, decoded once; a segment that
 * cannot be decoded is the path of nothing. One slash at the end is passed over, as the router does.
 */
export const matcherOf = (places: readonly Place[]): Matcher => {
  const patterns = [...Map.groupBy(places, ({ path }) => path)].map(([path, group]) => {
    const methods = new Set(group.map(({ method }) => method as string));
    return { path, match: { name: placeName(path), methods, id: null } };
  });
  const fixed = new Map<string, Match>(
    patterns.filter((pattern) => !isOpen(pattern)).map(({ path, match }) => [path, match]),
  );
  const open = patterns
    .filter(isOpen)
    .map(({ path, match }) => ({ segments: path.split("/"), match }));
  return (asked) => {
    const path = /[^/]\/$/.test(asked) ? asked.slice(0, -1) : asked;
    const exact = fixed.get(path);
    if (exact) return exact;
    const segments = path.split("/");
    const found = open.find((pattern) => fits(pattern.segments, segments));
    const id = found && decode(segments[found.segments.indexOf(":id")] ?? "");
    return found && id ? { ...found.match, id } : null;
  };
};

const isOpen = ({ path }: Pick<Place, "path">): boolean => path.includes(":");

const fits = (pattern: readonly string[], segments: readonly string[]): boolean =>
  pattern.length === segments.length &&
  pattern.every((part, index) => part === ":id" || part === segments[index]);

const decode = (segment: string): string | null => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
};
