import type { Reply } from "../../server/reply.ts";
import type { Route } from "../route.ts";

/**
 * `GET /openapi.json`: what this API is. The table of routes is asked for later, as it is not whole yet; and what
 * makes the document is loaded then, as few ask for it and all wait for the start.
 */
export const showDocument = (routes: () => readonly Route[]) => async (): Promise<Reply> => {
  const { documentText } = await import("./document.ts");
  return { body: documentText(routes()) };
};
