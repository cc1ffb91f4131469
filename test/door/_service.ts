import { startLimiter } from "../../src/door/limits.ts";
import { startRunning } from "../../src/door/running.ts";
import type { Service } from "../../src/door/service.ts";
import type { Clock } from "../../src/instant.ts";
import { startLog } from "../../src/log.ts";
import type { Store } from "../../src/db/open.ts";
import { SETTINGS } from "../_server.ts";

/** What a server that is set up in the ordinary way answers by, without the server; `say` gets its log's lines. */
export const serviceFor = (
  store: Store,
  clock: Clock,
  say: (line: string) => void = () => {},
): Service => ({
  store,
  clock,
  log: startLog("json", say, () => new Date(clock.wall())),
  limiter: startLimiter(store, SETTINGS.limits, clock),
  running: startRunning(),
  settings: SETTINGS,
});
