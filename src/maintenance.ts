import { pruneActivity } from "./db/calls/activity.ts";
import { aheadOf } from "./db/records/clock.ts";
import { pruneBrowserSessions } from "./db/people/revocation.ts";
import { pruneStoredReplies } from "./db/calls/idempotency.ts";
import { pruneHistory } from "./db/history/retention.ts";
import { readSpace } from "./db/sqlite/files/disk-space.ts";
import { DAY, formatInstant, MINUTE, SECOND } from "./domain/base/instant.ts";
import { isLow, megabytes } from "./domain/base/disk-space.ts";
import type { Service } from "./server/service.ts";

/** A log that is larger, in bytes, is emptied, or its owner told what keeps it from that. */
const LARGE_LOG = 64 * 1024 * 1024;

/** What a server does beside answering. `minute` and `hour` are to be called that often. */
export type Maintenance = { readonly minute: () => void; readonly hour: () => void };

/** Begins with what should be known at the start. Each finding is told once, as long as it lasts. */
export const startMaintenance = (service: Service): Maintenance => {
  const { store, clock } = service;
  const looks = [watchLog(service), watchClock(service)];
  const lookAtSpace = watchSpace(service);
  warnOfClock(service);
  lookAtSpace();
  return {
    minute: () => {
      for (const look of looks) look();
    },
    hour: () => {
      lookAtSpace();
      service.limiter.sweep();
      for (const prune of [pruneActivity, pruneHistory, pruneStoredReplies, pruneBrowserSessions])
        prune(store, clock.wall()).catch((cause: unknown) =>
          service.log.error("old rows not pruned", cause),
        );
    },
  };
};

/** A clock that is far behind takes what devices send for news of the future, and moves it back. */
const warnOfClock = ({ store, clock, log }: Service): void => {
  if (aheadOf(store.clock, clock.wall()) <= DAY) return;
  log.warn(
    "the clock of this machine is more than a day behind the data: set it right, or devices' changes are taken for older than they are",
    { clock: formatInstant(clock.wall()), data: formatInstant(store.clock.lease) },
  );
};

/** The same for a clock that is set back while the server runs. */
const watchClock = ({ store, clock, log }: Service): (() => void) => {
  const since = onset();
  return () => {
    const ahead = aheadOf(store.clock, clock.wall());
    since(ahead > MINUTE, () =>
      log.warn("the clock was set back: changes are stamped ahead of it until it has caught up", {
        clock: formatInstant(clock.wall()),
        ahead_s: Math.round(ahead / SECOND),
      }),
    );
  };
};

const watchLog = ({ store, log }: Service): (() => void) => {
  const since = onset();
  return () => {
    const bytes = store.writer.emptyLog(LARGE_LOG);
    since(bytes !== null, () =>
      log.warn(
        "the log beside the database grows, as another process keeps it from being emptied: end what else has docket.db open",
        { log_mb: megabytes(bytes ?? 0) },
      ),
    );
  };
};

/** Told again when only half of what was left then is left now. */
const watchSpace = ({ store, log }: Service): (() => void) => {
  let told = Number.POSITIVE_INFINITY;
  return () => {
    const space = readSpace(store.directory);
    if (space === null || !isLow(space)) told = Number.POSITIVE_INFINITY;
    else if (space.free < told / 2) {
      told = space.free;
      const [free_mb, total_mb] = [megabytes(space.free), megabytes(space.total)];
      log.warn("the disk is nearly full: once it is, nothing can be written", {
        directory: store.directory,
        free_mb,
        total_mb,
      });
    }
  };
};

/** Tells when something begins, and not again while it lasts. */
const onset = () => {
  let lasts = false;
  return (is: boolean, tell: () => void): void => {
    if (is && !lasts) tell();
    lasts = is;
  };
};
