import { statSync } from "node:fs";
import { join } from "node:path";
import { sumSyncs } from "../db/people/sessions.ts";
import { readSpace } from "../db/disk-space.ts";
import type { Store } from "../db/store.ts";
import { newestDaily } from "../domain/backups/kept.ts";
import { SECOND } from "../domain/base/instant.ts";
import { VERSION } from "../domain/base/release.ts";
import type { Log } from "./log.ts";
import type { Service } from "./service.ts";

/** Figures for a program that watches the server. */
export type Metrics = {
  /** The log, on which every call is counted from now on. */
  readonly log: Log;
  /** Everything as text (OpenMetrics 1.0). */
  readonly text: (service: Service) => Promise<string>;
  readonly stop: () => void;
};

/** Upper bounds of the classes of latency, in seconds. */
const BOUNDS = [0.005, 0.025, 0.1, 0.5, 1, 5, 30] as const;

const METHODS = new Set(["GET", "HEAD", "POST", "PATCH", "PUT", "DELETE", "OPTIONS"]);

type Route = { readonly within: number[]; sum: number; count: number };

/** How often the event loop is expected to come round, in ms. */
const EVERY = 500;

export const startMetrics = (log: Log): Metrics => {
  const calls = new Map<string, number>();
  const routes = new Map<string, Route>();
  let lag = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    lag = Math.max(lag, now - last - EVERY);
    last = now;
  }, EVERY);
  timer.unref();
  return {
    log: {
      ...log,
      request: (fields) => {
        log.request(fields);
        const { method, route = "*", status, ms } = fields;
        // Strangers choose methods, and must not fill the memory with them.
        const labels = `method="${METHODS.has(method) ? method : "other"}",route="${quoted(route)}"`;
        const call = `${labels},status="${status}"`;
        calls.set(call, (calls.get(call) ?? 0) + 1);
        const known = routes.get(labels) ?? { within: BOUNDS.map(() => 0), sum: 0, count: 0 };
        routes.set(labels, known);
        known.count += 1;
        known.sum += ms / SECOND;
        for (const [at, bound] of BOUNDS.entries())
          if (ms / SECOND <= bound) known.within[at] = (known.within[at] ?? 0) + 1;
      },
    },
    text: async (service) => {
      const families = [
        info(),
        family(
          "docket_requests",
          "counter",
          "Calls that were answered.",
          [...calls].map(([labels, count]) => line("_total", labels, count)),
        ),
        family(
          "docket_request_seconds",
          "histogram",
          "How long calls took.",
          [...routes].flatMap(([labels, route]) => histogram(labels, route)),
        ),
        ...(await stateOf(service)),
        gauge("docket_event_loop_lag_seconds", "Longest delay since the last look.", lag / SECOND),
      ];
      lag = 0;
      return `${families.join("")}# EOF\n`;
    },
    stop: () => clearInterval(timer),
  };
};

const info = (): string =>
  family("docket_build", "info", "The version.", [line("_info", `version="${VERSION}"`, 1)]);

const stateOf = async (service: Service): Promise<readonly string[]> => {
  const { store, news, backups } = service;
  const { pulled, applied, rejected } = await sumSyncs(store);
  const space = readSpace(store.directory);
  const state = backups?.state();
  const newest = state && newestDaily(state.copies);
  return [
    family("docket_sync_records", "counter", "Records of devices.", [
      line("_total", 'what="pulled"', pulled),
      line("_total", 'what="applied"', applied),
      line("_total", 'what="rejected"', rejected),
    ]),
    gauge("docket_waiting_calls", "Calls that wait for news.", news.waiting()),
    gauge("docket_memory_bytes", "Resident memory.", process.memoryUsage.rss()),
    gauge(
      "docket_start_time_seconds",
      "When the server started, since 1970.",
      Math.round(Date.now() / SECOND - process.uptime()),
    ),
    ...sizesOf(store),
    ...(space === null
      ? []
      : [gauge("docket_disk_free_bytes", "Free on the data's disk.", space.free)]),
    ...(state === undefined
      ? []
      : [
          gauge(
            "docket_backup_failed",
            "Whether the last backup failed.",
            state.failure === null ? 0 : 1,
          ),
        ]),
    ...(newest === undefined
      ? []
      : [
          gauge(
            "docket_backup_age_seconds",
            "Age of the newest backup.",
            Math.round((service.clock.wall() - newest.at) / SECOND),
          ),
        ]),
  ];
};

/** The files of the embedded database; a server on PostgreSQL has none. */
const sizesOf = ({ directory }: Store): readonly string[] =>
  (
    [
      ["docket_database_bytes", "The database's file.", "docket.db"],
      ["docket_database_log_bytes", "The database's log.", "docket.db-wal"],
    ] as const
  ).flatMap(([name, help, file]) => {
    const stat = statSync(join(directory, file), { throwIfNoEntry: false });
    return stat ? [gauge(name, help, stat.size)] : [];
  });

type Kind = "counter" | "gauge" | "histogram" | "info";
type Line = (name: string) => string;

const line =
  (suffix: string, labels: string, value: number): Line =>
  (name) =>
    `${name}${suffix}${labels === "" ? "" : `{${labels}}`} ${value}\n`;

const family = (name: string, kind: Kind, help: string, lines: readonly Line[]): string =>
  `# TYPE ${name} ${kind}\n# HELP ${name} ${help}\n${lines.map((write) => write(name)).join("")}`;

const gauge = (name: string, help: string, value: number): string =>
  family(name, "gauge", help, [line("", "", value)]);

const histogram = (labels: string, { within, sum, count }: Route): readonly Line[] => [
  ...BOUNDS.map((bound, at) =>
    line("_bucket", `${labels},le="${bound.toFixed(3)}"`, within[at] ?? 0),
  ),
  line("_bucket", `${labels},le="+Inf"`, count),
  line("_count", labels, count),
  line("_sum", labels, sum),
];

const quoted = (text: string): string =>
  text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
