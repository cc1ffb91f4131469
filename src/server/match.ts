import type { Call } from "./call.ts";
import { type Endpoint, endpointName } from "./endpoint.ts";
import type { Answered } from "./finish.ts";

/** The endpoint at a path: its name (see `endpointName`), its methods, and the id in the path. */
export type Match = {
  readonly name: string;
  readonly methods: ReadonlySet<string>;
  readonly id: string | null;
  /** Answers the request if another app serves the path. */
  readonly forward?: (call: Call) => Answered;
};

/** Returns the endpoint at a path. Null for an unknown path. */
export type Finder = (path: string) => Match | null;

/**
 * Returns a function that finds the endpoint at a path, whatever the method. Elysia's router matches method and path
 * together, but 405 needs to know that the path allows another method. A parameter is one segment, decoded once; a
 * path with a segment that cannot be decoded is unknown. One trailing slash is ignored, as in the router.
 */
export const matcherOf = (endpoints: readonly Endpoint[]): ((path: string) => Match | null) => {
  const templates = [...Map.groupBy(endpoints, ({ path }) => path)].map(([path, group]) => ({
    path,
    segments: path.split("/"),
    match: {
      name: endpointName(path),
      methods: new Set(group.map(({ method }) => method as string)),
      id: null,
    },
  }));
  const fixed = new Map(
    templates.filter((one) => !isOpen(one)).map(({ path, match }) => [path, match]),
  );
  const open = templates
    .filter(isOpen)
    .toSorted((a, b) => Number(a.path.endsWith("*")) - Number(b.path.endsWith("*")));
  return (sent) => {
    const path = /[^/]\/$/.test(sent) ? sent.slice(0, -1) : sent;
    const exact = fixed.get(path);
    if (exact) return exact;
    const segments = path.split("/");
    const template = open.find((one) => fits(one.segments, segments));
    if (!template?.path.includes(":")) return template?.match ?? null;
    const id = decode(segments[template.segments.indexOf(":id")] ?? "");
    return id ? { ...template.match, id } : null;
  };
};

const isOpen = ({ path }: { readonly path: string }): boolean => /:|\*$/.test(path);

const fits = (template: readonly string[], segments: readonly string[]): boolean =>
  template.at(-1) === "*"
    ? segments.length >= template.length && begins(template.slice(0, -1), segments)
    : template.length === segments.length && begins(template, segments);

const begins = (template: readonly string[], segments: readonly string[]): boolean =>
  template.every((part, index) => part === ":id" || part === segments[index]);

const decode = (segment: string): string | null => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
};
