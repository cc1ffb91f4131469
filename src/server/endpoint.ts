/** A method and a path. */
export type Endpoint = {
  readonly method: "GET" | "PATCH" | "POST";
  /** From the root. `:id` is the only parameter. With `/*` at its end: every path below that no other endpoint has. */
  readonly path: string;
};

/** Returns a path as the activity list and the logs show it: `/tasks/:id` becomes `/tasks/{id}`. */
export const endpointName = (path: string): string => path.replaceAll(/:(\w+)/g, "{$1}");
