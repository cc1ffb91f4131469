import type { Caller } from "../domain/people/caller.ts";
import type { Instant } from "../domain/base/instant.ts";
import { tokenOf } from "../server/checks/authorization.ts";
import { identify } from "../server/checks/credentials.ts";
import type { ApiContext } from "./context.ts";

/** Looks at the request's credential once more. Refuses it if it has ended meanwhile (401). */
export const identifyAgain = ({ store, request }: ApiContext, now: Instant): Caller =>
  identify(store, request, tokenOf(request.headers.get("authorization")) ?? undefined, now);

/** A reply can take minutes. It ends with the session: each piece is read only for one that is still valid. */
export async function* whileSignedIn(
  context: ApiContext,
  pieces: AsyncGenerator<string>,
): AsyncGenerator<string> {
  try {
    for await (const piece of pieces) {
      identifyAgain(context, context.service.clock.wall());
      yield piece;
    }
  } finally {
    await pieces.return(undefined);
  }
}
