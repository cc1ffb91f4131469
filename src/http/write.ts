import type { Call } from "../server/call.ts";
import { type Answer, recordWrite } from "../server/record-write.ts";
import { nameRecord } from "../server/touched.ts";
import type { ApiContext } from "./context.ts";
import { onlyAsked } from "./dryrun.ts";
import type { WriteRoute } from "./route.ts";

/**
 * Runs a write and returns its reply. The call's trace is stored in the same transaction, so neither is
 * stored without the other.
 */
export const answerWrite = async (
  call: Call,
  route: WriteRoute,
  context: ApiContext,
): Promise<Answer> => {
  // What refuses the request as it was sent needs no transaction.
  const write = await route.handle(context);
  return recordWrite(context.service, call, write, (value) => {
    const reply = route.present(value, context);
    if (call.dryRun) return { status: 200, reply: onlyAsked(reply) };
    if (call.pathId === null) call.touched = nameRecord(route.touches, value);
    return { status: route.success, reply };
  });
};
