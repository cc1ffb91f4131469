import type { Call } from "../door/call.ts";
import { type Answer, nameRecord, recordWrite } from "../door/recording.ts";
import type { Ask } from "./ask.ts";
import { onlyAsked } from "./dryrun.ts";
import type { WriteRoute } from "./route.ts";

/** Does a write and returns its answer: its trace stands with it, or neither does. */
export const answerWrite = (call: Call, route: WriteRoute, ask: Ask): Promise<Answer> =>
  recordWrite(
    ask.store,
    call,
    (store) => route.handle({ ...ask, store }),
    (value) => answerOf(call, route, ask, value),
  );

const answerOf = (call: Call, route: WriteRoute, ask: Ask, value: unknown): Answer => {
  const reply = route.present(value, ask);
  if (call.dryRun) return { status: 200, reply: onlyAsked(reply) };
  if (call.pathId === null) call.touched = nameRecord(route.touches, value);
  return { status: route.success, reply };
};
