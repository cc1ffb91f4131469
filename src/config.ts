import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import type { S3Settings } from "./server/bucket.ts";
import type { Plan } from "./domain/people/account.ts";
import type { OpenIdSettings } from "./server/service.ts";
import type { ReadCertificate } from "./server/certificate.ts";
import type { LogFormat } from "./server/log.ts";
import {
  hostName,
  isLoopback,
  list,
  networks,
  oneOf,
  redirectAddress,
  UsageError,
  webAddress,
  wholeNumber,
} from "./domain/base/usage.ts";

const MIB = 1024 * 1024;

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * A setting, keyed by its command-line flag. The environment variable is `DOCKET_` plus the name in
 * capitals; the same name with `_FILE` added names a file to read the value from.
 */
export type Setting = { readonly value: string; readonly about: string };

/** The server's settings. A flag wins over the variable, the variable over the default. */
export const SETTINGS = {
  host: { value: "ADDRESS", about: "address to listen on (default: 127.0.0.1)" },
  port: { value: "PORT", about: "port to listen on; 0 picks a free one (default: 3625)" },
  data: {
    value: "DIR",
    about: "data directory (default: $XDG_DATA_HOME/docket, or else ~/.local/share/docket)",
  },
  database: {
    value: "URL",
    about:
      "PostgreSQL database that keeps the data instead: postgres://user:password@host/name; best kept in a file (DOCKET_DATABASE_FILE)",
  },
  backups: {
    value: "DIR|off",
    about: "directory for daily copies of the data (default: backups/ in the data directory)",
  },
  "backups-s3": {
    value: "URL",
    about:
      "bucket to send the daily copies to as well: https://KEY:SECRET@HOST/BUCKET/PREFIX?region=REGION; best kept in a file (DOCKET_BACKUPS_S3_FILE)",
  },
  drills: {
    value: "monthly|off",
    about: "whether to try out a restore of the newest copy by itself (default: off)",
  },
  "public-url": { value: "URL", about: "address at which browsers and devices reach this server" },
  "allowed-hosts": {
    value: "NAMES",
    about: "other host names of this server, separated by commas",
  },
  "default-plan": { value: "free|pro", about: "plan of new accounts (default: pro)" },
  "rate-per-minute": { value: "N", about: "requests an API key may make per minute (default: 60)" },
  "rate-per-hour": { value: "N", about: "requests an API key may make per hour (default: 600)" },
  "account-quota": {
    value: "MIB",
    about:
      "most that one account's tasks and folders may take up, in MiB; 0 for no limit (default: 0)",
  },
  "body-memory": {
    value: "MIB",
    about: "memory for the bodies of all requests in progress, in MiB (default: 256)",
  },
  "trusted-proxies": {
    value: "NETWORKS",
    about:
      "addresses or networks of proxies to trust for X-Forwarded-For and -Proto, separated by commas",
  },
  "extension-redirects": {
    value: "URLS",
    about: "addresses that a sign-in may return extensions to, separated by commas",
  },
  "oidc-issuer": { value: "URL", about: "OpenID provider that people can sign in with" },
  "oidc-client-id": { value: "ID", about: "this server's client ID at that provider" },
  "oidc-client-secret": {
    value: "SECRET",
    about: "its client secret; best kept in a file (DOCKET_OIDC_CLIENT_SECRET_FILE)",
  },
  log: {
    value: "pretty|json|off",
    about: "log format (default: pretty on a terminal, otherwise json)",
  },
  metrics: {
    value: "HOST:PORT",
    about: "address of its own at which to serve figures for monitoring (OpenMetrics)",
  },
  "tls-cert": { value: "FILE", about: "certificate chain for https (PEM)" },
  "tls-key": { value: "FILE", about: "private key of that certificate (PEM)" },
} as const satisfies Readonly<Record<string, Setting>>;

type SettingName = keyof typeof SETTINGS;
export type Flags = Readonly<Partial<Record<SettingName, string | undefined>>>;

export type MetricsAddress = { readonly host: string; readonly port: number };

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
 * Variables that only other commands use. Every command accepts them, so that one environment
 * serves all.
 */
const OTHER_VARIABLES = ["api-key", "url", "session-token", "read-key", "write-key"] as const;

export type OtherVariable = (typeof OTHER_VARIABLES)[number];

/**
 * Variables that an orchestrator injects for a service named "docket" (Kubernetes and Docker links
 * do), along with `DOCKET_PORT=tcp://...`.
 */
const INJECTED = /^DOCKET_(SERVICE_(HOST|PORT)|PORT_\d+_)/;

const variableOf = (name: string): string => `DOCKET_${name.toUpperCase().replaceAll("-", "_")}`;

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

/** A setting as it is now, and the flag, variable or file that says so. `value` is null if nothing does. */
export type GivenSetting = {
  readonly setting: string;
  readonly value: string | null;
  readonly from: string;
};

/** Returns all settings, without what is secret. They were checked by `readConfig`, which made `config` of them. */
export const givenSettings = (
  flags: Flags,
  environment: Environment,
  readFile: (path: string) => string,
  config: Config,
): readonly GivenSetting[] =>
  (Object.keys(SETTINGS) as readonly SettingName[]).map((setting) => {
    const variable = variableOf(setting);
    const fromVariable = readVariable(setting, environment, readFile);
    const text = flags[setting] ?? fromVariable;
    if (text === undefined) return { setting, value: defaultOf(setting, config), from: "default" };
    const isFlag = flags[setting] !== undefined;
    const from = isFlag ? `--${setting}` : environment[variable] ? variable : `${variable}_FILE`;
    return { setting, value: withoutSecret(setting, text), from };
  });

const defaultOf = (setting: SettingName, config: Config): string | null => {
  if (setting === "data") return config.data;
  if (setting === "backups") return config.backups ?? "off";
  return /\(default: (.*)\)$/.exec(SETTINGS[setting].about)?.[1] ?? null;
};

const HIDDEN = "(secret)";

const withoutSecret = (setting: SettingName, text: string): string => {
  if (setting === "oidc-client-secret") return HIDDEN;
  if (setting !== "database" && setting !== "backups-s3") return text;
  return text
    .replace(/^(\w+:\/\/[^:@/]*:)[^/]*@/, `$1${HIDDEN}@`)
    .replaceAll(/([?&][^=&]*pass[^=&]*=)[^&]*/gi, `$1${HIDDEN}`);
};

/** Checks the address of a PostgreSQL database. Throws `UsageError`. */
export const databaseAddress = (text: string | undefined): string | null => {
  if (text === undefined) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url && /^postgres(ql)?:$/.test(url.protocol) && url.pathname.length > 1) return text;
  // The text may hold a password, so it is not repeated.
  throw new UsageError(
    "database must be the address of a PostgreSQL database, such as postgres://docket:password@db.example.org/docket.",
  );
};

const refuseUnknown = (environment: Environment): void => {
  const names = [...Object.keys(SETTINGS), ...OTHER_VARIABLES].map(variableOf);
  const known = new Set(names.flatMap((name) => [name, `${name}_FILE`]));
  const unknown = Object.keys(environment).find(
    (name) => name.startsWith("DOCKET_") && !known.has(name) && !INJECTED.test(name),
  );
  if (unknown !== undefined)
    throw new UsageError(
      `There is no setting ${unknown}. Correct its name or unset it. \`docket help\` lists all settings.`,
    );
};

/**
 * Returns the value of a setting's variable, or the trimmed text of the file that its `..._FILE`
 * variable names. Returns undefined if neither is set. Throws `UsageError` if both are.
 */
export const readVariable = (
  name: string,
  environment: Environment,
  readFile: (path: string) => string,
): string | undefined => {
  const variable = variableOf(name);
  const value = environment[variable] || undefined;
  const file = environment[`${variable}_FILE`] || undefined;
  // An orchestrator injected this value (see `INJECTED`): it is not our port.
  const own = name === "port" && value?.startsWith("tcp://") ? undefined : value;
  if (own !== undefined && file !== undefined)
    throw new UsageError(`${variable} and ${variable}_FILE are both set. Keep only one of them.`);
  return own ?? (file === undefined ? undefined : readFile(file).trim());
};

const defaultDirectory = (environment: Environment): string => {
  const base = environment["XDG_DATA_HOME"];
  return join(base && isAbsolute(base) ? base : join(homedir(), ".local", "share"), "docket");
};

/** PostgreSQL has its own copies, made with its own programs. */
const backupDirectory = (
  text: string | undefined,
  data: string,
  database: string | null,
): string | null => {
  if (text === "off") return null;
  if (database === null) return resolve(text ?? join(data, "backups"));
  if (text === undefined) return null;
  throw new UsageError(
    "backups is for the embedded database. PostgreSQL is backed up with its own programs: leave the setting out.",
  );
};

const bucketAt = (text: string | undefined): S3Settings | null => {
  if (text === undefined) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  const [bucket = "", ...names] = url?.pathname.split("/").filter(Boolean) ?? [];
  if (!url || !/^https?:$/.test(url.protocol) || bucket === "" || !url.username || !url.password)
    // The text may hold a secret, so it is not repeated.
    throw new UsageError(
      "backups-s3 must be an address with a key, a secret and a bucket, such as https://KEY:SECRET@s3.example.org/bucket.",
    );
  return {
    endpoint: url.origin,
    bucket,
    prefix: names.join("/"),
    region: url.searchParams.get("region"),
    accessKeyId: decodeURIComponent(url.username),
    secretAccessKey: decodeURIComponent(url.password),
  };
};

const metricsAddress = (text: string | undefined): MetricsAddress | null => {
  if (text === undefined) return null;
  const [, host = "", port = ""] = /^(.+):(\d+)$/.exec(text) ?? [];
  if (host !== "")
    return { host: hostName("metrics", host), port: wholeNumber("metrics", port, 0, 65_535) };
  throw new UsageError("metrics must be an address with a port, such as 127.0.0.1:9362.");
};

const logFormat = (text: string | undefined): LogFormat | null =>
  text === undefined ? null : oneOf("log", text, ["pretty", "json", "off"]);

/**
 * Docket always serves from the root of its address. Links would leave out a path, so a public URL
 * with a path is refused, as is a host that no browser sends.
 */
const publicAddress = (text: string | undefined): URL | null => {
  const url = webAddress("public-url", text);
  if (url === null) return null;
  hostName("public-url", url.hostname);
  if (url.href === `${url.origin}/`) return url;
  throw new UsageError(`public-url must be an address without a path, such as ${url.origin}.`);
};

const openIdProvider = (read: (name: SettingName) => string | undefined): Config["openId"] => {
  const issuer = webAddress("oidc-issuer", read("oidc-issuer"));
  const [clientId, clientSecret] = [read("oidc-client-id"), read("oidc-client-secret")];
  if (!issuer && clientId === undefined && clientSecret === undefined) return null;
  if (!issuer || clientId === undefined || clientSecret === undefined)
    throw new UsageError(
      "oidc-issuer, oidc-client-id and oidc-client-secret belong together. Set all three.",
    );
  if (issuer.protocol !== "https:" && !isLoopback(issuer.hostname))
    throw new UsageError("oidc-issuer must be an https:// address unless it is on this machine.");
  const plain = issuer.origin + issuer.pathname;
  if (issuer.href !== plain)
    throw new UsageError(
      `oidc-issuer must be an address without a password, a query or a fragment, such as ${plain}.`,
    );
  return { issuer, clientId, clientSecret };
};
