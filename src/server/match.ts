import type { MaybePromise } from "../domain/base/maybe-promise.ts";
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
export type Finder = (path: string) => MaybePromise<Match | null>;

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
    templates.filter(({ path }) => !path.includes(":")).map(({ path, match }) => [path, match]),
  );
  const open = templates.filter(({ path }) => path.includes(":"));
  return (sent) => {
    const path = /[^/]\/$/.test(sent) ? sent.slice(0, -1) : sent;
    const exact = fixed.get(path);
    if (exact) return exact;
    const segments = path.split("/");
    const template = open.find((one) => fits(one.segments, segments));
    const id = template && decode(segments[template.segments.indexOf(":id")] ?? "");
    return template && id ? { ...template.match, id } : null;
  };
};

const fits = (template: readonly string[], segments: readonly string[]): boolean =>
  template.length === segments.length &&
  template.every((part, index) => part === ":id" || part === segments[index]);

const decode = (segment: string): string | null => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
};
