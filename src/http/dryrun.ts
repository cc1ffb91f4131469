import type { TextReply } from "../server/reply.ts";

/** What would have been answered, marked as what was not done. */
export const onlyAsked = ({ body }: TextReply): TextReply => ({
  body: `${body.slice(0, -1)},"dry_run":true}`,
});
