import { type Endpoint, endpointName } from "./endpoint.ts";

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
export const matcherOf = (places: readonly Endpoint[]): Matcher => {
  const patterns = [...Map.groupBy(places, ({ path }) => path)].map(([path, group]) => ({
    path,
    segments: path.split("/"),
    match: {
      name: endpointName(path),
      methods: new Set(group.map(({ method }) => method as string)),
      id: null,
    },
  }));
  const fixed = new Map(
    patterns.filter(({ path }) => !path.includes(":")).map(({ path, match }) => [path, match]),
  );
  const open = patterns.filter(({ path }) => path.includes(":"));
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
