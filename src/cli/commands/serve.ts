import { type App, startApp } from "../../start.ts";
import { type Config, SETTINGS } from "../../config.ts";
import type { Store } from "../../db/store.ts";
import { findOwner } from "../../db/people/owner.ts";
import { SECOND } from "../../domain/base/instant.ts";
import { isLoopback } from "../../domain/base/usage.ts";
import { type Log, startLog } from "../../server/log.ts";
import { VERSION } from "../../domain/base/release.ts";
import { localAddress } from "./about.ts";
import type { Command, Run } from "../command.ts";
import { halt } from "../halt.ts";
import { newSetUp } from "./owner.ts";

/** How long a stop waits for the requests that are being answered. */
const DRAIN = 10 * SECOND;

export const serveCommand: Command = {
  name: "serve",
  usage: "[--host 127.0.0.1] [--port 3625] [--data DIR] [--public-url URL] ...",
  about: "start the server",
  flags: Object.fromEntries(Object.keys(SETTINGS).map((name) => [name, true])),
  words: [0, 0],
  run: async (run) => {
    // Heard from the first moment on: what stops the server while it greets stops it in good order.
    const stopped = stopSignal();
    const app = await start(run);
    await greet(run, app);
    await stopped;
    return stop(run, app);
  },
};

const start = (run: Run): Promise<App> => {
  const { config } = run;
  const format = config.log ?? (run.isTerminal ? "pretty" : "json");
  const log = startLog(format, run.say, () => new Date(run.now()));
  return startApp({
    directory: config.data,
    host: config.host,
    port: config.port,
    tls: config.tls,
    clock: { wall: run.now, steady: () => performance.now() },
    log,
    opening: { say: run.say, onFatal: (cause) => stopAtOnce(run, log, cause) },
    settings: {
      hosts: hostsOf(config),
      limits: { perMinute: config.ratePerMinute, perHour: config.ratePerHour },
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
 * The disk did not confirm what was written: nobody who waits for it may be answered, and nothing be
 * written any more. Whoever starts the server again reads from the disk what is really there.
 */
const stopAtOnce = (run: Run, log: Log, cause: unknown): void => {
  log.error("the disk did not confirm a write", cause);
  run.say(
    "docket: The disk did not confirm what was written, so the server stopped at once. What was answered before is kept. " +
      "Look at the disk and at the system's log, then start the server again.",
  );
  halt(1);
};

const hostsOf = ({ host, publicUrl, allowedHosts }: Config): ReadonlySet<string> =>
  new Set([host.toLowerCase(), ...allowedHosts, ...(publicUrl ? [publicUrl.hostname] : [])]);

const greet = async (run: Run, app: App): Promise<void> => {
  const address = localAddress({ ...run.config, port: app.port });
  run.print(`Docket ${VERSION} is listening on ${address}`);
  const outside = run.config.publicUrl?.origin ?? address;
  run.print(`  Pages ${outside}/account`);
  run.print(`  API   ${outside}/api/public/v1`);
  run.print(`  Docs  ${outside}/docs`);
  run.print(`  Data  ${run.config.data}`);
  if (!run.config.tls && !isLoopback(run.config.host))
    run.say(
      "Warning: the server can be reached from other machines without https. Use --tls-cert, or a proxy.",
    );
  if (!(await findOwner(app.store))) await askForOwner(run, app.store, address);
};

const askForOwner = async (run: Run, store: Store, address: string): Promise<void> => {
  const { link, code } = await newSetUp(run, store, address);
  run.print("Nobody owns this server yet. To set it up, open this within 30 minutes:");
  run.print(`  ${link}`);
  run.print(`or type the code ${code} on its page /setup. For a new one: docket owner link`);
};

/**
 * Resolves at the first SIGTERM or SIGINT; a later one ends the process at once. One that follows
 * directly is the same: a package manager hands on what the whole process group gets anyway.
 */
const stopSignal = (): Promise<void> =>
  new Promise((resolve) => {
    let askedAt: number | null = null;
    const onSignal = (): void => {
      if (askedAt !== null && performance.now() > askedAt + SECOND) process.exit(1);
      askedAt ??= performance.now();
      resolve();
    };
    process.on("SIGTERM", onSignal);
    process.on("SIGINT", onSignal);
  });

const stop = async (run: Run, app: App): Promise<number> => {
  run.say("Stopping: finishing what is being answered.");
  await app.stop(DRAIN);
  run.say("Stopped.");
  return 0;
};
