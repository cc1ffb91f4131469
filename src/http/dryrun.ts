import type { TextReply } from "../server/reply.ts";
import { invalid } from "../domain/base/refusal.ts";
import type { Route } from "./route.ts";

/** Whether a request only asks what it would do (`?dry_run=true`). Refuses what would be taken for that and is not. */
export const asksOnly = (request: Request, route: Route): boolean => {
  const [asked = "false", ...more] = new URL(request.url).searchParams.getAll("dry_run");
  if (more.length > 0 || !/^(true|false)$/.test(asked))
    throw invalid("Query parameter dry_run must be true or false.");
  if (asked === "false") return false;
  // Passed over, it would be done.
  if (!route.present)
    throw invalid("dry_run is not for this call: leave it out. Nothing was changed.");
  return true;
};

/** What would have been answered, marked as what was not done. */
export const onlyAsked = ({ body }: TextReply): TextReply => ({
  body: `${body.slice(0, -1)},"dry_run":true}`,
});
