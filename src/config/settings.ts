import { UsageError } from "../domain/base/usage.ts";

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

export type SettingName = keyof typeof SETTINGS;
export type Flags = Readonly<Partial<Record<SettingName, string | undefined>>>;

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

/** `DOCKET_PUBLIC_URL` for `public-url`. */
export const variableOf = (name: string): string =>
  `DOCKET_${name.toUpperCase().replaceAll("-", "_")}`;

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

/** Throws `UsageError` for a `DOCKET_` variable that Docket does not know: a typing error would go unnoticed. */
export const refuseUnknown = (environment: Environment): void => {
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
