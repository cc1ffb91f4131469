import { startRunning } from "../../src/server/checks/running.ts";
import { startLimiter } from "../../src/server/checks/admission.ts";
import { startImports } from "../../src/server/imports/imports.ts";
import { startNews } from "../../src/server/news.ts";
import { startBodyMemory } from "../../src/server/checks/body.ts";
import type { Service } from "../../src/server/service.ts";
import type { Clock } from "../../src/domain/base/instant.ts";
import { startLog } from "../../src/server/log.ts";
import type { Store } from "../../src/db/store.ts";
import { SETTINGS } from "./server.ts";

/** Returns an ordinary server's service, without the server. `say` gets the lines of its log. */
export const serviceFor = (
  store: Store,
  clock: Clock,
  say: (line: string) => void = () => {},
): Service => {
  const log = startLog("json", say, () => new Date(clock.wall()));
  return {
    store,
    clock,
    log,
    imports: startImports({ store, clock, log }),
    limiter: startLimiter(store, SETTINGS.limits, clock),
    running: startRunning(),
    bodies: startBodyMemory(SETTINGS.bodyMemory),
    news: startNews(store),
    backups: null,
    settings: SETTINGS,
  };
};
