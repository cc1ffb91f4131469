import { type App, type AppOptions, startApp } from "../../start.ts";
import type { Config } from "../../config/config.ts";
import { SETTINGS } from "../../config/settings.ts";
import type { OpenOptions } from "../../db/open.ts";
import { findOwner } from "../../db/people/owner.ts";
import { SECOND } from "../../domain/base/instant.ts";
import { Refusal } from "../../domain/base/refusal.ts";
import { shellWord } from "../../domain/base/text.ts";
import { isLoopback } from "../../domain/base/usage.ts";
import { type Log, startLog } from "../../server/log.ts";
import { VERSION } from "../../domain/base/release.ts";
import { localAddress, pagesAddress } from "./about.ts";
import type { Command, Run } from "../command.ts";
import { halt } from "../terminal.ts";
import { supervisorOf } from "../supervisor.ts";
import { prepareSandbox } from "../sandbox.ts";
import { newSetUp } from "./owner.ts";

/** How long a stop waits for requests in progress. */
const DRAIN = 10 * SECOND;

export const serveCommand: Command = {
  name: "serve",
  usage: "[--host 127.0.0.1] [--port 3625] [--data DIR] [--public-url URL] [--sandbox] ...",
  about:
    "start the server; with --sandbox, one for development that forgets everything when it stops",
  flags: {
    ...Object.fromEntries(Object.keys(SETTINGS).map((name) => [name, true])),
    sandbox: false,
  },
  words: [0, 0],
  run: async (run) => {
    // Listen for signals from the start: a signal during the greeting must also end in a clean stop.
    const signals = listenForSignals(run);
    const supervisor = supervisorOf(process.env);
    const clock = { wall: run.now, steady: () => performance.now() };
    const sandbox = run.has("sandbox") ? await prepareSandbox(run, clock) : null;
    try {
      const place = sandbox ?? { clock, directory: run.config.data };
      // A server on PostgreSQL that is replaced, or cut off from its database, stands by and may take over again.
      for (let isAgain = false; ; isAgain = true) {
        const lost = Promise.withResolvers<"lost">();
        const starting = start(run, place, { isAgain, onLost: () => lost.resolve("lost") });
        const app = await Promise.race([starting, signals.stopped]);
        if (!app) return 0;
        signals.onHangUp(app.reloadCertificate);
        greet(run, app);
        if (!isAgain) supervisor.ready();
        await sandbox?.fill(app, addressOf(run, app));
        const isLost = await offerSetUp(run, app).then(
          async () => (await Promise.race([lost.promise, signals.stopped])) === "lost",
          async (error: unknown) => {
            if (!isCutOff(run, app, error)) throw error;
            await Bun.sleep(SECOND);
            return true;
          },
        );
        if (!isLost) {
          supervisor.stopping();
          return await stop(run, app);
        }
        run.say("This server may no longer work on its database. It stands by.");
        await app.stop(0);
      }
    } finally {
      sandbox?.remove();
    }
  },
};

const start = (
  run: Run,
  { clock, directory, wrap }: Pick<AppOptions, "clock" | "directory" | "wrap">,
  leading: Pick<OpenOptions, "isAgain" | "onLost">,
): Promise<App> => {
  const { config } = run;
  const format = config.log ?? (run.isTerminal ? "pretty" : "json");
  const log = startLog(format, run.say, () => new Date(run.now()));
  return startApp({
    directory,
    ...(wrap ? { wrap } : {}),
    host: config.host,
    port: config.port,
    tls: config.tls,
    backups: run.has("sandbox") ? null : config.backups,
    metrics: run.has("sandbox") ? null : config.metrics,
    drills: config.drills,
    bucket: run.has("sandbox") ? null : config.backupsS3,
    clock,
    log,
    opening: {
      ...leading,
      database: run.has("sandbox") ? null : config.database,
      quota: config.accountQuota,
      say: run.say,
      onFatal: (cause) => stopAtOnce(run, log, cause),
    },
    onDamaged: (message) => {
      run.say(`docket: ${message}`);
      halt(1);
    },
    settings: {
      hosts: hostsOf(config),
      limits: { perMinute: config.ratePerMinute, perHour: config.ratePerHour },
      bodyMemory: config.bodyMemory * 1024 * 1024,
      https: config.tls !== null,
      publicUrl: config.publicUrl,
      isProxy: config.isProxy,
      defaultPlan: config.defaultPlan,
      extensionRedirects: config.extensionRedirects,
      openId: config.openId,
    },
  });
};

/**
 * The disk did not confirm a write. No caller waiting for it may get an answer, and nothing more may be
 * written. The next start reads what is really on the disk.
 */
const stopAtOnce = (run: Run, log: Log, cause: unknown): void => {
  log.error("the disk did not confirm a write", cause);
  run.say(
    "docket: The disk did not confirm a write, so the server stopped at once. Every write it had confirmed is safe. " +
      "Check the disk and the system log, then start the server again.",
  );
  halt(1);
};

const hostsOf = ({ host, publicUrl, allowedHosts }: Config): ReadonlySet<string> =>
  new Set([host.toLowerCase(), ...allowedHosts, ...(publicUrl ? [publicUrl.hostname] : [])]);

const addressOf = (run: Run, { port }: App): string => localAddress({ ...run.config, port });

const greet = (run: Run, app: App): void => {
  const address = addressOf(run, app);
  run.print(`Docket ${VERSION} is listening on ${address}`);
  const outside = run.config.publicUrl?.origin ?? address;
  const pages = pagesAddress({ ...run.config, port: app.port });
  run.print(`  Tasks   ${pages}/tasks`);
  run.print(`  Account ${pages}/account`);
  run.print(`  API     ${outside}/api/public/v1`);
  run.print(`  Docs    ${outside}/docs`);
  run.print(
    `  Data    ${run.config.database === null ? app.store.directory : placeOf(run.config.database)}`,
  );
  if (!run.config.tls && !isLoopback(run.config.host))
    run.say(
      "Warning: Other machines can reach this server without https. Set --tls-cert and --tls-key, or use a proxy.",
    );
};

/** The address of a database without what nobody else may know. */
const placeOf = (database: string): string => {
  const { host, pathname } = new URL(database);
  return `postgres://${host}${pathname}`;
};

/** Tells whoever starts a server without an owner how to become it. */
const offerSetUp = async (run: Run, app: App): Promise<void> => {
  if (!(await findOwner(app.store))) await askForOwner(run, app);
};

/** Whether a server on PostgreSQL could not do something because its database cannot be used right now. */
const isCutOff = ({ config }: Run, { store }: App, error: unknown): boolean => {
  const refusal = error instanceof Refusal ? error : store.faults.refusal(error);
  return config.database !== null && refusal?.reason === "unavailable";
};

const askForOwner = async (run: Run, { port, store }: App): Promise<void> => {
  const { link, code } = await newSetUp(run, store, pagesAddress({ ...run.config, port }));
  run.print("This server has no owner yet. Open this link within 30 minutes to set it up:");
  run.print(`  ${link}`);
  // Its address may hold a password.
  const values = {
    ...run.config,
    database: "URL",
    port,
    "public-url": run.config.publicUrl?.origin,
  };
  const flags = REPEATED.filter((name) => run.flag(name) !== undefined);
  const again = ["owner link", ...flags.map((name) => `--${name}=${shellWord(`${values[name]}`)}`)];
  run.print(
    `Or type the code ${code} on the page /setup. For a new link, run: docket ${again.join(" ")}`,
  );
};

/** Without these, the command would look for other data, or print a link to another address. */
const REPEATED = ["data", "database", "host", "port", "public-url"] as const;

/**
 * `stopped` resolves at the first SIGTERM or SIGINT. A later one ends the process at once, unless it follows within a
 * second: a package manager passes on a signal that the whole process group has received anyway. SIGHUP stops nothing,
 * and calls what was given to `onHangUp`. Only if it says that the terminal in which the server was started is closed,
 * it stops the server: nobody could find it to stop it otherwise.
 */
const listenForSignals = (run: Run) => {
  const { promise: stopped, resolve } = Promise.withResolvers<void>();
  const inTerminal = run.canAsk();
  let askedAt: number | null = null;
  const onSignal = (): void => {
    if (askedAt !== null && performance.now() > askedAt + SECOND) process.exit(1);
    askedAt ??= performance.now();
    resolve();
  };
  let hungUp: (() => void) | null = null;
  process.on("SIGTERM", onSignal);
  process.on("SIGINT", onSignal);
  process.on("SIGHUP", () => (inTerminal && !run.canAsk() ? onSignal() : hungUp?.()));
  return {
    stopped,
    onHangUp: (call: () => void): void => {
      hungUp = call;
    },
  };
};

const stop = async (run: Run, app: App): Promise<number> => {
  run.say("Stopping. Finishing the requests in progress.");
  await app.stop(DRAIN);
  run.say("Stopped.");
  return 0;
};
