import { startRunning } from "./server/checks/running.ts";
import { type OpenOptions, openStore } from "./db/open.ts";
import type { Store } from "./db/store.ts";
import { ROUTES } from "./http/routes.ts";
import { startLimiter } from "./server/checks/admission.ts";
import { startImports } from "./server/imports/imports.ts";
import { startNews } from "./server/news.ts";
import { startBodyMemory } from "./server/checks/body.ts";
import {
  type Certificate,
  checkCertificate,
  type ReadCertificate,
  watchCertificate,
} from "./server/certificate.ts";
import { type Listener, startListener } from "./server/listener.ts";
import { type EntryPoint, serveEntryPoints } from "./server/elysia.ts";
import type { MetricsAddress } from "./config/values.ts";
import { openBucket, type S3Settings } from "./server/bucket.ts";
import { UsageError } from "./domain/base/usage.ts";
import { startBackups } from "./server/backups.ts";
import { type Metrics, startMetrics } from "./server/metrics.ts";
import { startMaintenance } from "./maintenance.ts";
import { serveRoutes } from "./http/server.ts";
import { serveAgents } from "./mcp/server.ts";
import type { Service, Settings } from "./server/service.ts";
import { type Clock, HOUR, MINUTE, SECOND } from "./domain/base/instant.ts";
import { letOthersGoOn } from "./domain/base/breathe.ts";
import type { Log } from "./server/log.ts";

export type AppOptions = {
  readonly directory: string;
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  /** Null to serve http. */
  readonly tls: ReadCertificate | null;
  readonly settings: Settings;
  /** Where the server keeps copies of its data; null for none. */
  readonly backups?: string | null;
  /** Where copies are sent as well; null for nowhere. */
  readonly bucket?: S3Settings | null;
  /** Whether a restore of the newest copy is tried out once a month. */
  readonly drills?: boolean;
  /** Where figures for monitoring are served; null for nowhere. */
  readonly metrics?: MetricsAddress | null;
  readonly clock: Clock;
  readonly log: Log;
  readonly opening?: Pick<
    OpenOptions,
    "database" | "isAgain" | "onFatal" | "onLost" | "quota" | "say"
  >;
  /** Called if the check after an unclean stop finds the data damaged; must end the process. */
  readonly onDamaged?: (message: string) => void;
  /** Wraps the function that answers all requests. Only a sandbox has one. It is called once, at the start. */
  readonly wrap?: (fetch: Handlers["fetch"]) => Handlers["fetch"];
};

type Handlers = ReturnType<typeof serveEntryPoints>;

/** How often the server looks for a renewed certificate. */
const LOOK = 10 * SECOND;

export type App = {
  readonly port: number;
  /** The data that it serves. */
  readonly store: Store;
  /** Serves the certificate in the files if it has changed, without waiting until the server looks by itself. */
  readonly reloadCertificate: () => void;
  /** Accepts no more requests, finishes those in progress for up to `drain` ms, and closes the data directory. */
  readonly stop: (drain: number) => Promise<void>;
};

/**
 * Opens the data directory and starts the server. Throws if another server uses the directory, or if the port is
 * taken.
 */
export const startApp = async (options: AppOptions): Promise<App> => {
  const { clock, settings, opening } = options;
  const metrics = options.metrics ? startMetrics(options.log) : null;
  const log = metrics?.log ?? options.log;
  const { directory } = options;
  const certificate = readCertificate(options);
  const standby = standBy(options, certificate);
  const onChecked: OpenOptions["onChecked"] = (result, problem) =>
    reportCheck(options, result.state === "unknown" ? result.cause : null, problem);
  const store = await openStore({
    ...opening,
    onChecked,
    onWait: standby.begin,
    directory,
    role: "server",
    now: clock.wall(),
  });
  const port = await standby.end();
  const limiter = startLimiter(store, settings.limits, clock);
  const running = startRunning();
  const news = startNews(store);
  const bodies = startBodyMemory(settings.bodyMemory);
  const imports = startImports({ store, clock, log });
  const backups =
    options.backups == null
      ? null
      : startBackups({ store, clock, log }, options.backups, {
          bucket: options.bucket ? openBucket(options.bucket) : null,
          drills: options.drills ?? false,
        });
  const service = { store, clock, limiter, running, bodies, news, imports, backups, log, settings };
  const programs = [serveRoutes(service, ROUTES), serveAgents(service)];
  const handlers = serveEntryPoints(service, programs, () => servePeople(service));
  const fetch = options.wrap ? options.wrap(handlers.fetch) : handlers.fetch;
  const endWithStore = async (error: unknown): Promise<never> => {
    await store.close();
    throw error;
  };
  const figures =
    metrics && options.metrics
      ? await serveMetrics(service, metrics, options.metrics).catch(endWithStore)
      : null;
  const listener = await startListening({ ...options, port }, certificate, {
    ...handlers,
    fetch,
  }).catch(endWithStore);
  const watch = startMaintenance(service);
  void imports
    .goOn()
    .catch((cause: unknown) => log.error("the imports that were not finished cannot go on", cause));
  const timers = [
    setInterval(watch.minute, MINUTE),
    setInterval(watch.hour, HOUR),
    setInterval(listener.lookAtCertificate, LOOK, false),
  ];
  const stop = async (drain: number): Promise<void> => {
    for (const timer of timers) clearInterval(timer);
    listener.close();
    backups?.stop();
    metrics?.stop();
    void figures?.stop(true);
    news.end();
    await imports.stop();
    await listener.end(drain);
    await store.close();
  };
  return {
    port: listener.port,
    store,
    reloadCertificate: () => listener.lookAtCertificate(true),
    stop,
  };
};

/** At an address of its own, which nobody else needs to reach. Refuses one that is taken. */
const serveMetrics = async (
  service: Service,
  metrics: Metrics,
  { host, port }: MetricsAddress,
): Promise<Bun.Server<undefined>> => {
  const fetch = async ({ url }: Request): Promise<Response> => {
    if (new URL(url).pathname !== "/metrics")
      return new Response("The figures are at /metrics.\n", { status: 404 });
    return new Response(await metrics.text(service), {
      headers: { "content-type": "application/openmetrics-text; version=1.0.0; charset=utf-8" },
    });
  };
  try {
    return Bun.serve({ hostname: host, port, fetch });
  } catch {
    throw new UsageError(
      `Nothing can be served at ${host}:${port}: another program listens there, or the address is not this machine's. Choose another one for --metrics.`,
    );
  }
};

/** Read before anything is opened, so that a server that cannot serve it creates nothing. */
const readCertificate = ({ tls }: AppOptions): Certificate | null => {
  if (!tls) return null;
  const certificate = tls();
  checkCertificate(certificate);
  return certificate;
};

/**
 * What a server says while another one works on its database: that it runs, and that it is not ready. So a port that is taken
 * is noticed at the start, and whatever spreads the calls over several servers finds the one that works.
 */
const standBy = (
  { host, port, log }: Pick<AppOptions, "host" | "log" | "port">,
  certificate: Certificate | null,
) => {
  let listener: Listener | null = null;
  const error = "Another server works on this database, and this one stands by. Try again soon.";
  const notReady = (): Response =>
    Response.json({ error }, { status: 503, headers: { "retry-after": "1" } });
  const fetch = ({ url }: Request): Response =>
    new URL(url).pathname === "/healthz" ? Response.json({ status: "ok" }) : notReady();
  return {
    begin: (): void => {
      if (listener) return;
      listener = startListener({ fetch, error: notReady }, host, port, certificate);
      log.info(
        "another server works on this database: this one stands by, and takes over when that stops",
        { port: listener.port },
      );
    },
    /** Returns the port to listen on. */
    end: async (): Promise<number> => {
      await listener?.end(0);
      return listener?.port ?? port;
    },
  };
};

/** If the port is taken, `startListener` throws at once. The async function turns that into a rejected promise. */
const startListening = async (
  { host, port, tls, log, clock }: AppOptions,
  certificate: Certificate | null,
  handlers: Handlers,
) => {
  const listener = startListener(handlers, host, port, certificate);
  const lookAtCertificate =
    tls && certificate
      ? watchCertificate(tls, certificate, listener.renew, log, clock.wall)
      : (asked: boolean): void => {
          if (asked) log.info("there is no certificate to load again", {});
        };
  return { ...listener, lookAtCertificate };
};

/** Tells the owner what the check after an unclean stop found. Nothing may be written to damaged data. */
const reportCheck = (
  { log, onDamaged }: AppOptions,
  unchecked: string | null,
  problem: Error | null,
): void => {
  if (problem) {
    log.error("the data are damaged", problem.message);
    onDamaged?.(problem.message);
  } else if (unchecked !== null)
    log.warn("the data could not be checked after an unclean stop: the next start checks them", {
      cause: unchecked,
    });
  else log.warn("the last server did not stop cleanly: the data were checked and are sound");
};

/**
 * The entry points for people: the account pages and the API reference. They are half of the program, so a server
 * that only programs call never loads them. Loading takes about 40 ms, so others are answered between its steps.
 */
const servePeople = async (service: Service): Promise<readonly EntryPoint[]> => {
  const [{ serveReference }, { servePages }] = await Promise.all([
    import("./reference/server.ts"),
    import("./web/server.tsx"),
  ]);
  await letOthersGoOn();
  const reference = serveReference(service);
  await letOthersGoOn();
  const pages = await servePages(service);
  await letOthersGoOn();
  return [reference, pages];
};
