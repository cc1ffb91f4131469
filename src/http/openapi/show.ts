import type { Reply } from "../../server/call.ts";
import type { Route } from "../route.ts";

/**
 * `GET /openapi.json`: the API's document. The route table is passed as a function, because it is not complete yet
 * when this route is made. The code that makes the document is loaded on first use, so that it does not slow the
 * start.
 */
export const showDocument = (routes: () => readonly Route[]) => async (): Promise<Reply> => {
  const { documentText } = await import("./document.ts");
  return { body: documentText(routes()) };
};
