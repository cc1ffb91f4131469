import { identifyAgain } from "../server/checks/credentials.ts";
import type { ApiContext } from "./context.ts";

/** A reply can take minutes. It ends with the session: each piece is read only for one that is still valid. */
export async function* whileSignedIn(
  context: ApiContext,
  pieces: AsyncGenerator<string>,
): AsyncGenerator<string> {
  try {
    for await (const piece of pieces) {
      identifyAgain(context.store, context.request, context.service.clock.wall());
      yield piece;
    }
  } finally {
    await pieces.return(undefined);
  }
}
