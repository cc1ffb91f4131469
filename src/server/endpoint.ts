/** A method and the path that takes it. */
export type Endpoint = {
  readonly method: "GET" | "PATCH" | "POST";
  /** From the root, with `:id` for the one parameter that there is. */
  readonly path: string;
};

/** How an endpoint is named in the activity list and in logs. */
export const endpointName = (path: string): string => path.replaceAll(/:(\w+)/g, "{$1}");
