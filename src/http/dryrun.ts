import type { TextReply } from "../server/reply.ts";

/** Returns the reply that the call would have had, with `dry_run: true` added. */
export const onlyAsked = ({ body }: TextReply): TextReply => ({
  body: `${body.slice(0, -1)},"dry_run":true}`,
});
