import { pruneActivity } from "./db/calls/activity.ts";
import { aheadOf } from "./db/records/clock.ts";
import { finishDeletions } from "./db/people/deletion.ts";
import { pruneBrowserSessions } from "./db/people/revocation.ts";
import { pruneStoredReplies } from "./db/calls/idempotency.ts";
import { pruneHistory } from "./db/history/quota.ts";
import { readSpace } from "./db/disk-space.ts";
import { DAY, formatInstant, MINUTE, SECOND } from "./domain/base/instant.ts";
import { isLow, megabytes } from "./domain/base/disk-space.ts";
import type { Service } from "./server/service.ts";

/** In bytes. The server empties a larger log, or warns its owner why it cannot. */
const LARGE_LOG = 64 * 1024 * 1024;

/** What a server does besides answering requests. Call `minute` and `hour` that often. */
export type Maintenance = { readonly minute: () => void; readonly hour: () => void };

/** Checks the clock and the disk at once. Each problem is reported once for as long as it lasts. */
export const startMaintenance = (service: Service): Maintenance => {
  const { store, clock } = service;
  const looks = [watchLog(service), watchClock(service)];
  const lookAtSpace = watchSpace(service);
  warnOfClock(service);
  lookAtSpace();
  let isFirst = true;
  return {
    minute: () => {
      for (const look of looks) look();
      // Not at the start itself, which is busy enough.
      if (isFirst) void service.backups?.look();
      isFirst = false;
    },
    hour: () => {
      lookAtSpace();
      void service.backups?.look();
      service.limiter.sweep();
      service.imports
        .sweep()
        .catch((cause: unknown) => service.log.error("uploaded files could not be removed", cause));
      for (const prune of [
        pruneActivity,
        pruneHistory,
        pruneStoredReplies,
        pruneBrowserSessions,
        finishDeletions,
      ])
        prune(store, clock.wall()).catch((cause: unknown) =>
          service.log.error(
            "expired or deleted rows could not be removed: the server tries again in an hour",
            cause,
          ),
        );
    },
  };
};

/** If the clock is far behind, changes from devices look as if they came from the future, and are dated back. */
const warnOfClock = ({ store, clock, log }: Service): void => {
  if (aheadOf(store.clock, clock.wall()) <= DAY) return;
  log.warn(
    "this machine's clock is more than a day behind the data: correct it, or changes from devices are dated too early",
    { clock: formatInstant(clock.wall()), data: formatInstant(store.clock.lease) },
  );
};

/** The same for a clock that is set back while the server runs. */
const watchClock = ({ store, clock, log }: Service): (() => void) => {
  const since = onset();
  return () => {
    const ahead = aheadOf(store.clock, clock.wall());
    since(ahead > MINUTE, () =>
      log.warn(
        "the clock was set back: check it, as changes are stamped ahead of it until it catches up",
        {
          clock: formatInstant(clock.wall()),
          ahead_s: Math.round(ahead / SECOND),
        },
      ),
    );
  };
};

const watchLog = ({ store, log }: Service): (() => void) => {
  const since = onset();
  return () => {
    const bytes = store.writer.emptyLog(LARGE_LOG);
    since(bytes !== null, () =>
      log.warn(
        "the database log keeps growing because another process has docket.db open: stop that process",
        { log_mb: megabytes(bytes ?? 0) },
      ),
    );
  };
};

/** Reports again only when the free space has halved since the last report. */
const watchSpace = ({ store, log }: Service): (() => void) => {
  let told = Number.POSITIVE_INFINITY;
  return () => {
    const space = readSpace(store.directory);
    if (space === null || !isLow(space)) told = Number.POSITIVE_INFINITY;
    else if (space.free < told / 2) {
      told = space.free;
      const [free_mb, total_mb] = [megabytes(space.free), megabytes(space.total)];
      log.warn("the disk is nearly full: free some space before writes fail", {
        directory: store.directory,
        free_mb,
        total_mb,
      });
    }
  };
};

/** Reports when something begins, and not again while it lasts. */
const onset = () => {
  let lasts = false;
  return (is: boolean, tell: () => void): void => {
    if (is && !lasts) tell();
    lasts = is;
  };
};
