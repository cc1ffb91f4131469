import { resolve } from "node:path";
import type { Plan } from "../domain/people/account.ts";
import {
  hostName,
  list,
  networks,
  oneOf,
  redirectAddress,
  UsageError,
  wholeNumber,
} from "../domain/base/usage.ts";
import type { S3Settings } from "../server/bucket.ts";
import type { ReadCertificate } from "../server/certificate.ts";
import type { LogFormat } from "../server/log.ts";
import type { OpenIdSettings } from "../server/service.ts";
import {
  type Environment,
  type Flags,
  readVariable,
  refuseUnknown,
  type SettingName,
} from "./settings.ts";
import {
  backupDirectory,
  bucketAt,
  databaseAddress,
  defaultDirectory,
  logFormat,
  type MetricsAddress,
  metricsAddress,
  openIdProvider,
  publicAddress,
} from "./values.ts";

const MIB = 1024 * 1024;

export type Config = {
  readonly host: string;
  readonly port: number;
  readonly data: string;
  /** The address of a PostgreSQL database; null for the embedded one. */
  readonly database: string | null;
  /** The directory for daily copies of the data; null for none. */
  readonly backups: string | null;
  /** Where the daily copies are sent as well; null for nowhere. */
  readonly backupsS3: S3Settings | null;
  /** Whether a restore of the newest copy is tried out once a month. */
  readonly drills: boolean;
  readonly publicUrl: URL | null;
  readonly allowedHosts: readonly string[];
  readonly defaultPlan: Plan;
  readonly ratePerMinute: number;
  readonly ratePerHour: number;
  /** In bytes. Null for no limit. */
  readonly accountQuota: number | null;
  /** In MiB. */
  readonly bodyMemory: number;
  readonly isProxy: (address: string) => boolean;
  readonly extensionRedirects: readonly string[];
  readonly openId: OpenIdSettings | null;
  readonly log: LogFormat | null;
  /** Where to serve figures for monitoring; null for nowhere. */
  readonly metrics: MetricsAddress | null;
  /** Null to serve http. */
  readonly tls: ReadCertificate | null;
};

/**
 * Reads and checks all settings. `readFile` takes a path and returns the file's text. Throws
 * `UsageError` for a bad value, and for a `DOCKET_` variable that Docket does not know: otherwise a
 * typing error would go unnoticed.
 */
export const readConfig = (
  flags: Flags,
  environment: Environment,
  readFile: (path: string) => string,
): Config => {
  refuseUnknown(environment);
  const read = (name: SettingName): string | undefined => {
    const text = flags[name] ?? readVariable(name, environment, readFile);
    // An empty path would be the working directory, and an empty certificate no TLS.
    if (text === "") throw new UsageError(`${name} is empty. Give it a value, or leave it out.`);
    return text;
  };
  const tls = [read("tls-cert"), read("tls-key")].filter((path) => path !== undefined);
  if (tls.length === 1) throw new UsageError("tls-cert and tls-key belong together. Set both.");
  const [cert, key] = tls;
  const data = resolve(read("data") ?? defaultDirectory(environment));
  const database = databaseAddress(read("database"));
  return {
    host: hostName("host", read("host") ?? "127.0.0.1"),
    port: wholeNumber("port", read("port") ?? "3625", 0, 65_535),
    data,
    database,
    backups: backupDirectory(read("backups"), data, database),
    backupsS3: bucketAt(read("backups-s3")),
    drills: oneOf("drills", read("drills") ?? "off", ["monthly", "off"]) === "monthly",
    publicUrl: publicAddress(read("public-url")),
    allowedHosts: list(read("allowed-hosts")).map((name) => hostName("allowed-hosts", name)),
    defaultPlan: oneOf("default-plan", read("default-plan") ?? "pro", ["free", "pro"]),
    ratePerMinute: wholeNumber("rate-per-minute", read("rate-per-minute") ?? "60", 1, 100_000),
    ratePerHour: wholeNumber("rate-per-hour", read("rate-per-hour") ?? "600", 1, 100_000),
    accountQuota:
      wholeNumber("account-quota", read("account-quota") ?? "0", 0, 1_000_000) * MIB || null,
    // One account may take half of it, and its largest push must fit.
    bodyMemory: wholeNumber("body-memory", read("body-memory") ?? "256", 128, 1_048_576),
    isProxy: networks(list(read("trusted-proxies"))),
    extensionRedirects: list(read("extension-redirects")).map(redirectAddress),
    openId: openIdProvider(read),
    log: logFormat(read("log")),
    metrics: metricsAddress(read("metrics")),
    tls: cert && key ? () => ({ cert: readFile(cert), key: readFile(key) }) : null,
  };
};
