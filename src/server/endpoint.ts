/** One line of a route table, as the door sees it: what is asked for, and by which method. */
export type Endpoint = {
  readonly method: "GET" | "PATCH" | "POST";
  /** From the root, with `:id` for the one parameter that there is. */
  readonly path: string;
};

/** How a place is named in the activity list and in logs. */
export const endpointName = (path: string): string => path.replaceAll(/:(\w+)/g, "{$1}");
